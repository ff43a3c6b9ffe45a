// The byte layout of a frame. `src/layout.rs` and `src/particles.rs` have the same tables and write
// these bytes.

import { rotate } from "./matrix.js";

export const HEAD = 80;
export const BODY = 60;
export const POSE = 28;
export const PARTICLES_HEAD = 48;
export const PARTICLE = 12;
const LAYER = 28;
const CONSTRAINT = 24;

// Number of four-byte words in a body's row, and the offsets of some of them.
export const BODY_WORDS = BODY / 4;
export const ID_WORD = 9;
export const SHAPE_WORD = 11;

// Names of the methods, in the order of their numbers.
export const METHODS = ["granular", "impulse", "statistical", "particle"];

const floats = (view, offset, count) => Array.from({ length: count }, (_, k) => view.getFloat32(offset + 4 * k, true));

// The head of a block.
export function readHead(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (offset) => view.getUint32(offset, true);
  return {
    number: Number(view.getBigInt64(0, true)),
    time: view.getFloat64(8, true),
    bodies: word(24),
    obstacles: word(28),
    layers: word(32),
    constraints: word(36),
    least: floats(view, 40, 3),
    largest: floats(view, 52, 3),
    fastest: view.getFloat32(64, true),
    largestSize: view.getFloat32(72, true),
  };
}

// The rows of the bodies of a block.
export const bodyRows = (block) => block.bytes.subarray(HEAD, HEAD + BODY * block.head.bodies);

// The body in a row of `rows`.
export function readBody(rows, row) {
  const view = new DataView(rows.buffer, rows.byteOffset + row * BODY, BODY);
  const state = view.getUint32(56, true);
  return {
    id: view.getBigUint64(36, true),
    position: floats(view, 0, 3),
    size: view.getFloat32(12, true),
    orientation: [16, 18, 20, 22].map((offset) => view.getInt16(offset, true) / 32767),
    velocity: floats(view, 24, 3),
    shape: view.getUint32(44, true),
    material: view.getUint32(48, true),
    contacts: view.getUint32(52, true),
    asleep: (state & 1) !== 0,
    held: (state & 2) !== 0,
    layer: (state & 4) !== 0 ? state >>> 16 : null,
    method: METHODS[(state >>> 8) & 255] ?? "unknown",
  };
}

// Position of the origin of a body's mesh: rows have the centre of mass.
export function originOf(body, shape) {
  const away = rotate(body.orientation, shape?.centre ?? [0, 0, 0]);
  return body.position.map((part, axis) => part - body.size * away[axis]);
}

// The row of the body with this id, or -1.
export function findBody(rows, id) {
  const words = new Uint32Array(rows.buffer, rows.byteOffset, rows.byteLength / 4);
  const low = Number(id & 0xffffffffn);
  const high = Number(id >> 32n);
  for (let at = ID_WORD; at < words.length; at += BODY_WORDS) {
    if (words[at] === low && words[at + 1] === high) return (at - ID_WORD) / BODY_WORDS;
  }
  return -1;
}

// Poses of the obstacles of a block.
export function readPoses(block) {
  const { bytes, head } = block;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = HEAD + BODY * head.bodies;
  return Array.from({ length: head.obstacles }, (_, k) => ({
    position: floats(view, start + POSE * k, 3),
    orientation: floats(view, start + POSE * k + 12, 4),
  }));
}

// The head of a frame's particles.
export function readParticlesHead(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    count: view.getUint32(8, true),
    radius: view.getFloat32(12, true),
    least: floats(view, 16, 3),
    extent: floats(view, 28, 3),
    fastest: view.getFloat32(40, true),
  };
}

// The layers and constraints of a frame, from bytes that are fetched separately from its block.
export function readOverlays(buffer, head) {
  const view = new DataView(buffer);
  const layers = Array.from({ length: head.layers }, (_, k) => {
    const [x, y, z, radius, height, density] = floats(view, LAYER * k + 4, 6);
    return { pile: view.getUint32(LAYER * k, true), centre: [x, y, z], radius, height, density };
  });
  const start = LAYER * head.layers;
  const constraints = new Float32Array(buffer, start, (CONSTRAINT / 4) * head.constraints);
  return { layers, constraints };
}
