// Things the user must know: shown in the page, each once, until they are over or closed.

export class Messages {
  constructor(element) {
    this.element = element;
    this.shown = new Map();
  }

  // Shows a message under a name; a second one of the same name takes its place.
  show(name, text) {
    if (this.shown.get(name)?.text === text) return;
    this.clear(name);
    const item = document.createElement("div");
    item.className = "message";
    item.setAttribute("role", "alert");
    const words = document.createElement("span");
    words.textContent = text;
    const close = document.createElement("button");
    close.textContent = "×";
    close.title = "Close";
    close.addEventListener("click", () => item.remove());
    item.append(words, close);
    this.element.append(item);
    this.shown.set(name, { text, item });
  }

  clear(name) {
    this.shown.get(name)?.item.remove();
    this.shown.delete(name);
  }
}
