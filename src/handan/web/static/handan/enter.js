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

// Escape closes the menu of the club's pages, and whoever was in it stands before it again.
const menu = document.querySelector("nav.club details");
if (menu) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

// Terms that the server fills in never take the place of a field in which somebody is typing; one that is only entered gets
// them, for the others have theirs.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const cell = event.detail.target;
  if (cell !== document.activeElement) return;
  event.detail.shouldSwap = false;
  const sent = event.detail.fragment.querySelector(`#${CSS.escape(cell.id)}`);
  if (!sent || cell.value !== cell.defaultValue) return;
  cell.defaultValue = sent.defaultValue;
  cell.value = sent.defaultValue;
  cell.select();
});

// A result that cannot be sent is kept on the device, shown, and sent with the token of its form once the server is reached,
// so that it is written once; what the server asks about it (other terms by now, a game like it) somebody looks at.
const unsent = document.querySelector("[data-unsent]");
if (unsent) {
  const place = `unsent ${unsent.dataset.unsent}`;
  const kept = () => JSON.parse(localStorage.getItem(place) || "[]");
  const done = [];
  const show = () => {
    const row = (words, state, buttons) => {
      const line = document.createElement("li");
      line.append(`${words}: ${state} `, ...buttons);
      return line;
    };
    const button = (words, act) => {
      const made = Object.assign(document.createElement("button"), { type: "button", className: "second", textContent: words });
      made.addEventListener("click", act);
      return made;
    };
    const lines = kept().map((item) =>
      row(item.words, item.asked ? unsent.dataset.asked : unsent.dataset.kept,
        item.asked ? [button(unsent.dataset.look, () => look(item)), button(unsent.dataset.discard, () => drop(item))] : []));
    unsent.replaceChildren(...done.map((words) => row(words, unsent.dataset.sent, [])), ...lines);
    unsent.hidden = !unsent.firstChild;
  };
  const write = (items) => {
    localStorage.setItem(place, JSON.stringify(items));
    show();
  };
  const drop = (item) => write(kept().filter((other) => other.token !== item.token));
  const csrf = () => document.querySelector("[name=csrfmiddlewaretoken]").value;
  const look = (item) => {
    const form = Object.assign(document.createElement("form"), { method: "post", action: item.action });
    for (const [name, value] of [...item.fields, ["csrfmiddlewaretoken", csrf()]]) {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    document.body.append(form);
    drop(item);
    form.submit();
  };
  let reachable = true; // as of the last question; a page with results to enter asks again every few seconds
  const reached = async () => {
    const asked = fetch(unsent.dataset.server, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(5000) });
    reachable = await asked.then((answer) => answer.ok, () => false);
    return reachable;
  };
  let sending = false;
  const send = async () => {
    if (sending || !kept().some((item) => !item.asked)) return;
    sending = true;
    if (await reached()) {
      for (const item of kept().filter((each) => !each.asked)) {
        const body = new URLSearchParams([...item.fields, ["csrfmiddlewaretoken", csrf()]]);
        const answer = await fetch(item.action, { method: "POST", body }).catch(() => null);
        if (!answer || answer.status === 503) break;
        if (answer.redirected && !answer.url.includes("/sign-in/")) {
          done.push(item.words);
          drop(item);
        } else write(kept().map((each) => (each.token === item.token ? { ...each, asked: true } : each)));
      }
    }
    sending = false;
  };
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!form.matches("form.won") || form.elements.pin || (reachable && navigator.onLine)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const fields = [...new FormData(form, event.submitter)].filter(([name]) => name !== "csrfmiddlewaretoken");
      const names = [...form.closest("li, main").querySelectorAll(".two .name, .board .name")].map((name) => name.textContent.trim());
      const words = `${names.join(" – ")}, ${event.submitter.textContent.replace(/\s+/g, " ").trim()}`;
      const item = { action: form.action, token: form.elements.token.value, fields, words };
      write([...kept().filter((other) => other.token !== item.token), item]);
      form.replaceWith(words);
    },
    true,
  );
  window.addEventListener("online", send);
  setInterval(() => {
    if (kept().some((item) => !item.asked)) send();
    else if (document.querySelector("form.won")) reached();
  }, 10000);
  show();
  send();
}

// A form that is sent says so, and is not sent twice. After a while it may be: whoever stopped the browser sends it again,
// and the server writes what comes twice once.
const SAID = 700; // milliseconds; a quick answer needs no words
const AGAIN = 30000;
const working = document.querySelector(".working");
let clock = 0;
const rest = () => {
  clearInterval(clock);
  if (working) working.replaceChildren();
  for (const part of document.querySelectorAll("[data-sent]")) {
    delete part.dataset.sent;
    part.removeAttribute("aria-busy");
  }
  for (const part of document.querySelectorAll("button[aria-disabled]")) part.removeAttribute("aria-disabled");
};
const wait = (begun) => {
  const past = Date.now() - begun;
  if (past > AGAIN) return rest();
  if (past < SAID) return;
  if (!working.firstChild) {
    const time = document.createElement("span");
    time.setAttribute("aria-hidden", "true"); // read out once, not every second
    working.append(working.dataset.words, " ", time);
  }
  working.lastChild.textContent = working.dataset.seconds.replace("{seconds}", Math.round(past / 1000));
};
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || !working) return;
  if ("sent" in form.dataset) return event.preventDefault();
  rest();
  form.dataset.sent = "";
  form.setAttribute("aria-busy", "true");
  if (event.submitter) event.submitter.setAttribute("aria-disabled", "true");
  const begun = Date.now();
  clock = setInterval(() => wait(begun), 250);
});
window.addEventListener("pageshow", rest); // also of a page that one comes back to
// What looks something up by itself never keeps a form from being sent.
document.addEventListener("htmx:beforeRequest", (event) => event.detail.target.setAttribute("aria-busy", "true"));
document.addEventListener("htmx:afterRequest", (event) => {
  if (!("sent" in event.detail.target.dataset)) event.detail.target.removeAttribute("aria-busy");
});

// The record sheet: Enter goes to the next cell, behind the result to the next line's Black, and from a line that is left
// empty to the button that enters the sheet; 1 or 2 as a result needs no Enter. Tab goes from cell to cell, then through the
// questions, so that an answer that comes while somebody types never takes the cursor. A block from a spreadsheet is read by
// the server.
const sheet = document.querySelector("[data-sheet]");
if (sheet) {
  const NEXT = { black: "white", white: "result", result: "black" };
  const seen = (part) => part.offsetParent !== null;
  const cells = (name) => [...sheet.querySelectorAll(`tbody .line [name="${name}"]`)];
  const behind = (parts, part, back) => parts[parts.indexOf(part) + (back ? -1 : 1)];
  const go = (event, part) => {
    event.preventDefault();
    part.focus();
    if (part.select) part.select();
  };
  const onward = (event, back) => {
    const cell = event.target;
    const save = sheet.querySelector("#sheet-buttons [name=save]");
    if (!back && cell.name === "black" && !cell.value && save) return go(event, save);
    const row = cells(cell.name).indexOf(cell);
    const name = NEXT[cell.name] || cell.name;
    const down = cell.name === "result" || !NEXT[cell.name];
    const next = back ? behind(cells(cell.name), cell, true) : cells(name)[row + down];
    if (next) go(event, next);
    else if (!back) sheet.querySelector("[name=more]").click();
  };
  sheet.addEventListener("keydown", (event) => {
    const cell = event.target;
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Tab") {
      const place = cell.closest(".line") ? ".line" : cell.closest(".answer") ? ".answer" : "";
      if (!place) return;
      const parts = (where) => [...sheet.querySelectorAll(`tbody ${where} :is(input:not([type=hidden]), select, button, a)`)].filter(seen);
      const next = behind(parts(place), cell, event.shiftKey);
      if (next) return go(event, next);
      const other = place === ".line" && !event.shiftKey ? parts(".answer")[0] : place === ".answer" && event.shiftKey ? parts(".line").pop() : null;
      if (other) go(event, other);
      else if (place === ".answer") go(event, sheet.querySelector("#sheet-buttons button, [name=look]:not(.unseen)"));
      return;
    }
    if (event.key !== "Enter" || !cell.closest(".line")) return;
    event.preventDefault();
    onward(event, event.shiftKey);
  });
  sheet.addEventListener("input", (event) => {
    if (event.target.name === "result" && !event.isComposing && /^[12]$/.test(event.target.value)) onward(event, false);
  });
  sheet.addEventListener("paste", (event) => {
    const text = event.clipboardData ? event.clipboardData.getData("text/plain") : "";
    if (!event.target.closest(".line") || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    sheet.querySelector("[name=pasted]").value = text;
    sheet.querySelector("[name=look]").click();
  });
}

// The club's tablet: who went away leaves the terms of two players behind, so that the wall comes back; the screen stays awake.
const kiosk = document.querySelector(".kiosk[data-home]");
if (kiosk) {
  if (navigator.wakeLock) navigator.wakeLock.request("screen").catch(() => {});
  if (kiosk.dataset.idle) {
    let timer = 0;
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(() => location.assign(kiosk.dataset.home), 1000 * kiosk.dataset.idle);
    };
    for (const name of ["pointerdown", "keydown", "scroll", "input"]) document.addEventListener(name, begin, true);
    begin();
  }
}

// The last ladder is kept for hours without a network, as every visitor sees it.
const app = document.querySelector("link[rel=manifest]");
if (app && "serviceWorker" in navigator) navigator.serviceWorker.register(app.dataset.worker).catch(() => {});

// A link is copied, or handed to another program, where the browser can do it.
for (const button of document.querySelectorAll("[data-copy], [data-share]")) {
  const share = "share" in button.dataset;
  if (share ? !navigator.share : !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      if (share) await navigator.share({ url: button.dataset.share });
      else await navigator.clipboard.writeText(button.dataset.copy);
      if (button.dataset.done) button.textContent = button.dataset.done;
    } catch {
      return; // whoever shares may think better of it
    }
  });
}
