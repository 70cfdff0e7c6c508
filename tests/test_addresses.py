"""Games read from buckets and web servers, over HTTP as a small server on this machine speaks it."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

import handan
from handan.errors import InputError
from handan.files import Limits
from tests.command_line import run

GAMES = Path("examples/games.csv")
FILES = {
    "bucket/games.csv": GAMES.read_bytes(),
    "bucket/season/a.csv": b"black,white,result\nAda,Bo,B+\n",
    "bucket/season/b.csv.gz": gzip.compress(b"black,white,result\nCy,Bo,W+\n"),
    "bucket/season/.hidden.csv": b"black,white,result\nHidden,Bo,W+\n",
    "web/set.csv": b"player,rating\nDave,1800\n",
    "web/games.csv": GAMES.read_bytes(),
    "web/long.csv": b"black,white,result\n" + 50_000 * b"Ada,Bo,B+\n",
}
FAULT = "<?xml version='1.0'?><Error><Code>{0}</Code><Message>{0}</Message></Error>"


class Files(BaseHTTPRequestHandler):
    """A web server, and what S3 says of objects and lists: `GET` and `HEAD` of `/bucket/key`, and lists of a prefix."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        path, query = parts.path.strip("/"), parse_qs(parts.query)
        if path == "bucket" and not query:
            self.answer(200, b"")
        elif path.startswith("absent"):
            self.answer(404, FAULT.format("NoSuchBucket").encode())
        elif path.startswith(("locked", "web/secret")):
            self.answer(403, FAULT.format("AccessDenied").encode())
        elif path == "web/elsewhere":
            self.answer(302, b"", Location="file:///etc/passwd")
        elif "list-type" in query:
            self.answer(200, self.listed(path, query.get("prefix", [""])[0]).encode(), **{"Content-Type": "text/xml"})
        elif path in FILES:
            self.answer(200, FILES[path])
        else:
            self.answer(404, FAULT.format("NoSuchKey").encode())

    do_HEAD = do_GET  # noqa: N815  # as the server calls it

    def listed(self, bucket: str, prefix: str) -> str:
        keys = [path.removeprefix(f"{bucket}/") for path in FILES if path.startswith(f"{bucket}/{prefix}")]
        items = "".join(
            f"<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            f"<Size>{len(FILES[f'{bucket}/{key}'])}</Size></Contents>"
            for key in keys
        )
        return (
            f"<?xml version='1.0'?><ListBucketResult><Name>{bucket}</Name><Prefix>{prefix}</Prefix>"
            f"<KeyCount>{len(keys)}</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>{items}"
            "</ListBucketResult>"
        )

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(autouse=True)
def somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "hidden",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def in_s3(path: str, host: str) -> str:
    return f"s3://{path}?scheme=http&region=us-east-1&endpoint_override={host}"


def test_a_file_of_a_bucket_is_the_file_of_this_machine(host: str) -> None:
    pytest.importorskip("pyarrow")
    address = in_s3("bucket/games.csv", host)
    assert handan.read(address) == handan.read(GAMES)
    assert run("rate", address, "--system", "sagc").out == run("rate", str(GAMES), "--system", "sagc").out


def test_a_folder_of_a_bucket_is_read_file_by_file(host: str) -> None:
    pytest.importorskip("pyarrow")
    ledger = handan.read(in_s3("bucket/season", host))
    assert [(game.black, game.white) for game in ledger] == [("Ada", "Bo"), ("Cy", "Bo")]
    assert set(ledger.games["source"]) == {"s3://bucket/season/a.csv", "s3://bucket/season/b.csv.gz"}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("absent/games.csv", "s3://absent/games.csv: there is no such bucket"),
        ("bucket/nothing.csv", "s3://bucket/nothing.csv: there is no such file"),
        ("locked/games.csv", "s3://locked/games.csv: access was refused; say who you are by AWS_ACCESS_KEY_ID"),
    ],
)
def test_what_a_bucket_refuses_is_said_in_one_line(host: str, path: str, message: str) -> None:
    pytest.importorskip("pyarrow")
    done = run("rate", in_s3(path, host), "--system", "sagc")
    assert done.status == 2
    assert message in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert "hidden" not in done.err


def test_a_page_of_the_web_is_read_like_a_file(host: str) -> None:
    assert handan.read(f"http://{host}/web/games.csv") == handan.read(GAMES)


def test_other_files_than_games_may_stand_elsewhere_and_no_key_is_shown(host: str) -> None:
    at = f"http://name:word@{host}/web"
    done = run("check", f"{at}/games.csv?key=1234")
    assert (done.status, f"http://{host}/web/games.csv" in done.out) == (0, True)
    assert not {"word", "1234"} & set(done.out.replace("@", " ").replace("=", " ").split())
    done = run("rate", str(GAMES), "--system", "elo", "--adjustments", f"{at}/set.csv")
    assert "1800.0" in done.out


@pytest.mark.parametrize(
    ("path", "message"),
    [("nothing.csv", "no such file"), ("secret.csv", "access was refused"), ("elsewhere", "status 302")],
)
def test_what_a_web_server_refuses_is_said_in_one_line(host: str, path: str, message: str) -> None:
    done = run("rate", f"http://name:word@{host}/web/{path}?key=1234", "--system", "sagc")
    assert (done.status, message in done.err, len(done.err.strip().splitlines())) == (2, True, 1)
    assert "word" not in done.err
    assert "1234" not in done.err


def test_the_limits_of_files_hold_elsewhere_too(host: str) -> None:
    with pytest.raises(InputError, match="unpacked=NUMBER raises the limit"):
        handan.read(f"http://{host}/web/long.csv", limits=Limits(unpacked=100_000))
    with pytest.raises(InputError, match="games=NUMBER raises the limit"):
        handan.read(f"http://{host}/web/long.csv", limits=Limits(games=1_000, problems=1_000))


def test_a_server_that_is_not_there_is_named_in_one_line() -> None:
    with pytest.raises(InputError, match=r"^http://127\.0\.0\.1:9/games\.csv cannot be read: "):
        handan.read("http://127.0.0.1:9/games.csv")


def test_nothing_is_written_elsewhere(tmp_path: Path) -> None:
    done = run("ledger", "build", str(GAMES), "-o", "s3://bucket/games.ledger")
    assert (done.status, "files are written on this machine" in done.err) == (2, True)
    done = run("convert", str(GAMES), "s3://bucket/games.csv")
    assert (done.status, "files are written on this machine" in done.err) == (2, True)
    assert not (tmp_path / "s3:").exists()
    assert not Path("s3:").exists()
