// Messages to the user: each is shown once, until it is resolved or closed.

export class Messages {
  constructor(element) {
    this.element = element;
    this.shown = new Map();
  }

  // Shows a message under a name; another one of the same name replaces it.
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
