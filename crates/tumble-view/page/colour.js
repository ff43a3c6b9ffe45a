// The colour modes of bodies, their colours, and the legend. `shaders.js` computes the same colours
// from the table made here. Pictures (`tumble-picture/src/colour.rs`) have the same modes; a test
// compares the two.

import { METHODS } from "./layout.js";

// The order is the order of the keys 1 to 8, and a mode's index is its number in the shader.
export const MODES = ["material", "id", "speed", "asleep", "method", "layer", "held", "contacts"];

export const TITLES = {
  material: "Material",
  id: "Body",
  speed: "Speed",
  asleep: "Sleep",
  method: "Method",
  layer: "Layer",
  held: "Held",
  contacts: "Contacts",
};

// Earth colours for materials without a colour.
const EARTH = ["#c9a26b", "#8d9aa5", "#b5694d", "#7d9170", "#d8c7a3", "#6f7f95", "#a58fa8", "#5f8a8b"];

// Colour of obstacles without a colour.
export const OBSTACLE = "#9aa3ad";

const NEUTRAL = "#b9b4aa";
const AWAKE = "#f2a03d";
const ASLEEP = "#4f6d8f";
const HELD = "#d8438f";
const METHOD_COLOURS = ["#e0a95c", "#4c93d9", "#63b77a", "#b06fd0"];
const LAYER_COLOURS = ["#4363a8", "#3c93b5", "#46b39a", "#8ec45f", "#dfc24f", "#e8934a", "#d95f5c", "#b2559f"];
// Colour scales of speed and of contacts; both get lighter towards larger values.
const SPEED_COLOURS = ["#22316b", "#39568c", "#287d8e", "#3fae7c", "#a4cf42", "#fde74c"];
const CONTACT_COLOURS = ["#2c1a4d", "#6a2a70", "#a8416b", "#dd6a58", "#f7a35c", "#fbe29c"];

// A body with this many contacts or more has the last colour.
export const MOST_CONTACTS = 10;

// Indices into the table of colours that the shader reads. Materials come last, because their
// number varies.
export const TABLE = { speed: 0, contacts: 6, method: 12, layer: 16, asleep: 24, held: 26, neutral: 28, materials: 29 };

const toRgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const toHex = (rgb) => `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

export const materialColour = (material, index) => (material?.colour ? toHex(material.colour) : EARTH[index % EARTH.length]);

// The table of colours for the shader: four bytes each.
export function colourTable(materials) {
  const fixed = [
    ...SPEED_COLOURS, ...CONTACT_COLOURS, ...METHOD_COLOURS, ...LAYER_COLOURS, AWAKE, ASLEEP, NEUTRAL, HELD, NEUTRAL,
  ];
  const all = [...fixed, ...materials.map(materialColour)];
  return new Uint8Array(all.flatMap((hex) => [...toRgb(hex), 255]));
}

// The smallest of 1, 2, 5, 10, … that is not below a value: a readable end of a scale.
export function roundUp(value) {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((step) => step * power >= value * 0.999);
}

const short = (value) => Number(value.toPrecision(3)).toString();
const items = (pairs) => ({ items: pairs.map(([colour, text]) => ({ colour, text })) });
const scaleOf = (colours, from, middle, to) => ({ colours, ends: [from, middle, to] });

// Most materials that the legend names.
const MOST_ITEMS = 12;

// The legend of a mode: coloured items, or a scale with its ends. `materials` are those of each
// recording.
export function legend(mode, { materials, speed }) {
  switch (mode) {
    case "material": {
      // A colour may depend on the index of a material in its own recording.
      const named = materials.flatMap((own) => own.map((material, index) => [materialColour(material, index), material.name]));
      const distinct = [...new Map(named.map((pair) => [pair.join(" "), pair])).values()];
      const more = distinct.length - MOST_ITEMS;
      return { ...items(distinct.slice(0, MOST_ITEMS)), note: more > 0 ? `and ${more} more` : null };
    }
    case "id": return { note: "Every body has its own colour." };
    // The middle of the scale is a quarter of the speed, which resolves slow bodies better.
    case "speed": return scaleOf(SPEED_COLOURS, "0", `${short(speed / 4)}`, `${short(speed)} m/s`);
    case "asleep": return items([[AWAKE, "awake"], [ASLEEP, "asleep"]]);
    case "method": return items(METHODS.map((name, index) => [METHOD_COLOURS[index], name]));
    case "layer": {
      const layers = LAYER_COLOURS.map((colour, index) => [colour, `${index + 1}`]);
      return { ...items([...layers, [NEUTRAL, "none"]]), isCompact: true, note: "From the bottom; the colours repeat." };
    }
    case "held": return items([[HELD, "held"], [NEUTRAL, "free"]]);
    default: return scaleOf(CONTACT_COLOURS, "0", `${MOST_CONTACTS / 2}`, `${MOST_CONTACTS}+`);
  }
}
