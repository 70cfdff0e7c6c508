// An option is searched as it is typed: without this, `--since` would mean "pages without the word since".
document.addEventListener(
  "input",
  (event) => {
    const field = event.target;
    if (field instanceof HTMLInputElement && field.matches("[data-md-component=search-query]")) {
      const words = field.value.replace(/(^|\s)-+(?=\S)/g, "$1");
      if (words !== field.value) field.value = words;
    }
  },
  true,
);
