// A text is looked for once it stands: while a word is being composed (Japanese, Chinese and Korean input) nothing is sent,
// and the Enter that ends the composing submits nothing. Every page works without this file.
"use strict";

const settled = (field) => field.dispatchEvent(new CustomEvent("settled", { bubbles: true }));

document.addEventListener("input", (event) => {
  if (!event.isComposing) settled(event.target);
});
document.addEventListener("compositionend", (event) => settled(event.target));
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault();
  },
  true,
);

// At a desk one types at once; on a touch screen the keyboard would cover the plates.
const field = document.querySelector("[data-focus]");
if (field && window.matchMedia("(hover: hover) and (pointer: fine)").matches) field.focus();
