// The user's settings. Controls listen to changes; the address stores the settings, so that a
// reload restores them.

import { MODES } from "./colour.js";

export const AXES = ["x", "y", "z"];
// How obstacles are drawn: as in the scene, or all in one way.
export const OBSTACLES = ["scene", "solid", "glass", "hidden"];
export const LIGHTS = ["full", "plain"];
export const SHOWN = ["both", "first", "second"];

const DEFAULTS = {
  colour: "material",
  obstacles: "scene",
  light: "full",
  shown: "both",
  particles: true,
  ground: true,
  layers: true,
  guides: true,
  constraints: true,
  clip: false,
  clipAxis: "x",
  // From one end of the scene to the other.
  clipAt: 0.5,
  clipFlip: false,
  turntable: false,
  fps: false,
  panel: true,
};

const CHOICES = { colour: MODES, obstacles: OBSTACLES, light: LIGHTS, shown: SHOWN, clipAxis: AXES };

export class Settings {
  constructor() {
    this.values = { ...DEFAULTS };
    this.listeners = [];
    for (const name of Object.keys(DEFAULTS)) {
      Object.defineProperty(this, name, { get: () => this.values[name], set: (value) => this.set(name, value) });
    }
  }

  set(name, value) {
    if (this.values[name] === value) return;
    this.values[name] = value;
    for (const listener of this.listeners) listener(name);
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  toggle(name) {
    this.set(name, !this.values[name]);
  }

  // The next of a setting's choices.
  cycle(name, step = 1) {
    const choices = CHOICES[name];
    this.set(name, choices[(choices.indexOf(this.values[name]) + step + choices.length) % choices.length]);
  }

  // The settings that differ from the defaults, for the address.
  toParameters(parameters) {
    for (const [name, value] of Object.entries(this.values)) {
      if (value !== DEFAULTS[name]) parameters.set(name, typeof value === "boolean" ? Number(value) : value);
    }
  }

  // Reads settings from the address; invalid values are ignored.
  fromParameters(parameters) {
    for (const [name, standard] of Object.entries(DEFAULTS)) {
      const text = parameters.get(name);
      if (text === null) continue;
      if (typeof standard === "boolean") this.set(name, text === "1");
      else if (typeof standard === "number" && Number.isFinite(Number(text))) this.set(name, Math.max(0, Math.min(1, Number(text))));
      else if (CHOICES[name]?.includes(text)) this.set(name, text);
    }
  }
}
