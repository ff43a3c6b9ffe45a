// The list of keys, in a dialog over the page.

export class Help {
  constructor(dialog) {
    this.dialog = dialog;
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) this.toggle();
    });
    dialog.querySelector(".close").addEventListener("click", () => this.toggle());
  }

  // Lists the keys of `keys.js`.
  fill(table) {
    const groups = new Map();
    for (const [group, , keys, text] of table) groups.set(group, [...(groups.get(group) ?? []), [keys, text]]);
    groups.set("Pointer", [
      ["Drag", "Orbit"], ["Right drag", "Pan; also with ⇧ or two fingers"], ["Wheel", "Zoom; also by pinching"],
      ["Click", "Select a body"], ["Double click", "Orbit around it"],
    ]);
    const columns = this.dialog.querySelector(".columns");
    for (const [group, rows] of groups) {
      const section = document.createElement("section");
      const title = document.createElement("h3");
      title.textContent = group;
      const list = document.createElement("dl");
      for (const [keys, text] of rows) {
        const term = document.createElement("dt");
        const key = document.createElement("kbd");
        key.textContent = keys;
        term.append(key);
        const what = document.createElement("dd");
        what.textContent = text;
        list.append(term, what);
      }
      section.append(title, list);
      columns.append(section);
    }
  }

  get isOpen() {
    return this.dialog.open;
  }

  toggle() {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }
}
