"""A question that a person can answer: raised where a table can be read in two ways and a guess could be wrong."""

from __future__ import annotations

from handan.errors import InputError


class QuestionError(InputError):
    """A table that can be read in several ways; its text asks which one and names the option that answers."""

    def __init__(self, question: str, option: str, answers: tuple[str, ...], place: str = "") -> None:
        """Take the question, the option of the command line that answers it, and the answers that it may have."""
        self.question, self.option, self.answers, self.place = question, option, answers, place
        choices = " or ".join(f"{option} {_quoted(answer)}" for answer in answers)
        super().__init__(f"{place}: {question} Give {choices}" if place else f"{question} Give {choices}")

    def at(self, place: str) -> QuestionError:
        """Return the same question about a file."""
        return self if self.place else QuestionError(self.question, self.option, self.answers, place)

    def __reduce__(self) -> tuple[type[QuestionError], tuple[str, str, tuple[str, ...], str]]:
        """What another process is told."""
        return type(self), (self.question, self.option, self.answers, self.place)


def _quoted(answer: str) -> str:
    """Return an answer as a shell takes it."""
    return f'"{answer}"' if any(c.isspace() for c in answer) else answer
