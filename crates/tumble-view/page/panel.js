// The panel: settings, legend, data of the selected body.

import { MODES, TITLES, legend, roundUp } from "./colour.js";
import { AXES, OBSTACLES, SHOWN } from "./settings.js";
import { originOf } from "./layout.js";
import { length } from "./matrix.js";

const SWITCHES = ["clip", "particles", "ground", "layers", "guides", "constraints", "turntable"];

const find = (id) => document.getElementById(id);

const short = (value) => (value === 0 ? "0" : Number(value.toPrecision(4)).toString());

export class Panel {
  constructor(viewer) {
    this.viewer = viewer;
    const { settings } = viewer;
    this.refreshers = [
      this.choice("colour", MODES, (mode) => TITLES[mode]),
      this.choice("obstacles", OBSTACLES, (look) => ({ scene: "own", solid: "solid", glass: "glass", hidden: "none" })[look]),
      this.choice("clip-axis", AXES, (axis) => axis, "clipAxis"),
      this.choice("shown", SHOWN, (name) => ({ both: "both", first: "1", second: "2" })[name]),
      ...SWITCHES.map((name) => this.switch(name, () => settings[name], (on) => settings.set(name, on))),
      this.switch("light", () => settings.light === "full", (on) => settings.set("light", on ? "full" : "plain")),
    ];
    find("clip-at").addEventListener("input", (event) => settings.set("clipAt", Number(event.target.value)));
    find("clip-flip").addEventListener("click", () => settings.toggle("clipFlip"));
    find("panel-toggle").addEventListener("click", () => settings.toggle("panel"));
    settings.onChange(() => this.showSettings());
    viewer.onChange(() => this.showNews());
  }

  // A row of buttons of which one is selected; returns a function that updates it.
  choice(id, values, title = (value) => value, name = id) {
    const { settings } = this.viewer;
    const buttons = values.map((value) => {
      const button = document.createElement("button");
      button.textContent = title(value);
      button.dataset.value = value;
      button.setAttribute("role", "radio");
      button.addEventListener("click", () => settings.set(name, value));
      return button;
    });
    find(id).append(...buttons);
    return () => buttons.forEach((button) => button.setAttribute("aria-checked", button.dataset.value === settings[name]));
  }

  switch(id, get, set) {
    const input = find(id);
    input.addEventListener("change", () => set(input.checked));
    return () => { input.checked = get(); };
  }

  showSettings() {
    const { settings, panes } = this.viewer;
    for (const refresh of this.refreshers) refresh();
    find("clip-at").value = settings.clipAt;
    find("clip-controls").hidden = !settings.clip;
    find("shown-row").hidden = panes.length < 2;
    find("particles-row").hidden = !panes.some((pane) => pane.particles);
    find("panel").toggleAttribute("data-closed", !settings.panel);
    this.showLegend();
  }

  showNews() {
    if (roundUp(this.viewer.speed) !== this.legendSpeed) this.showLegend();
    this.showChosen();
  }

  showLegend() {
    const { settings, panes, speed } = this.viewer;
    this.legendSpeed = roundUp(speed);
    const materials = panes.map((pane) => pane.recording.header.materials);
    const { items, colours, ends, note, isCompact } = legend(settings.colour, { materials, speed: this.legendSpeed });
    const parts = [];
    if (items) {
      const list = document.createElement("ul");
      list.classList.toggle("compact", Boolean(isCompact));
      for (const { colour, text } of items) {
        const item = document.createElement("li");
        const dot = document.createElement("i");
        dot.style.background = colour;
        item.append(dot, text);
        list.append(item);
      }
      parts.push(list);
    }
    if (colours) {
      const scale = document.createElement("div");
      scale.className = "scale";
      scale.style.background = `linear-gradient(to right, ${colours.join(", ")})`;
      const labels = document.createElement("div");
      labels.className = "ends";
      labels.append(...ends.map((end) => Object.assign(document.createElement("span"), { textContent: end })));
      parts.push(scale, labels);
    }
    // Particles have only a material and a speed.
    const hasParticles = settings.particles && panes.some((pane) => pane.particles);
    const more = hasParticles && !["material", "speed"].includes(settings.colour) ? "Particles keep the colour of their material." : null;
    for (const text of [note, more]) {
      if (text) parts.push(Object.assign(document.createElement("p"), { className: "note", textContent: text }));
    }
    find("legend").replaceChildren(...parts);
  }

  // Data of the selected body or obstacle, as pairs of name and value.
  facts() {
    const { chosen, panes } = this.viewer;
    if (!chosen) return [];
    const { header } = chosen.pane.recording;
    const where = panes.length > 1 ? [["recording", `${panes.indexOf(chosen.pane) + 1}`]] : [];
    if (chosen.obstacle !== undefined) {
      const obstacle = header.obstacles[chosen.obstacle];
      return [...where, ["obstacle", obstacle?.name ?? `${chosen.obstacle}`], ["material", header.materials[obstacle?.material]?.name ?? "–"]];
    }
    const body = this.viewer.chosenBody();
    if (!body) return [...where, ["id", `${chosen.body}`], ["state", "not in this frame"]];
    const state = [body.asleep ? "asleep" : "awake", ...(body.held ? ["held"] : [])];
    return [
      ...where,
      ["id", `${body.id}`],
      ["shape", header.shapes[body.shape]?.name || `${body.shape}`],
      ["material", header.materials[body.material]?.name || `${body.material}`],
      ["size", short(body.size)],
      ["position", `${originOf(body, header.shapes[body.shape]).map(short).join(", ")} m`],
      ["orientation", body.orientation.map((part) => short(Math.round(1e4 * part) / 1e4)).join(", ")],
      ["speed", `${short(length(body.velocity))} m/s`],
      ["velocity", `${body.velocity.map(short).join(", ")} m/s`],
      ["contacts", `${body.contacts}`],
      ["state", state.join(", ")],
      ["method", body.method],
      ["layer", body.layer === null ? "none" : `${body.layer + 1}`],
    ];
  }

  showChosen() {
    const facts = this.facts();
    const text = JSON.stringify(facts);
    if (text === this.factsText) return;
    this.factsText = text;
    find("body-none").hidden = facts.length > 0;
    find("body").toggleAttribute("data-chosen", facts.length > 0);
    const cells = facts.flatMap(([name, value]) => [
      Object.assign(document.createElement("dt"), { textContent: name }),
      Object.assign(document.createElement("dd"), { textContent: value }),
    ]);
    find("body-facts").replaceChildren(...cells);
  }
}
