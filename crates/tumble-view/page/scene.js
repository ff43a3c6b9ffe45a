// One recording on the graphics card: its shapes, colours and surfaces, and the rows of the shown
// frame.
//
// Shapes that are drawn alike are a *class*: the same number of spheres, or one mesh. With one
// class the rows are uploaded as received; with several they are sorted by class first, so that
// each class is one draw call. Carriers are separate classes, because they are not drawn where
// particles are.

import { BODY, BODY_WORDS, SHAPE_WORD, bodyRows, readPoses } from "./layout.js";
import { Cloud } from "./cloud.js";
import { createTable } from "./gl.js";
import { OBSTACLE, colourTable, materialColour } from "./colour.js";
import { Surface, boundsOf, boxCorners, withNormals } from "./mesh.js";
import { add, rotate, scale } from "./matrix.js";

const TABLE_WIDTH = 1024;

export class Scene {
  static async create(gl, recording) {
    const scene = new Scene(gl, recording);
    const { shapes, obstacles, guides } = recording.header;
    const ofObstacles = obstacles.map((obstacle) => obstacle.surface.mesh).filter((mesh) => mesh !== undefined);
    const wanted = new Set([...shapes.map((shape) => shape.mesh ?? null), ...ofObstacles, ...guides]);
    wanted.delete(null);
    await Promise.all([...wanted].map(async (number) => {
      const mesh = await recording.mesh(number);
      scene.surfaces.set(number, new Surface(gl, withNormals(mesh)));
      scene.meshBounds.set(number, boundsOf(mesh.vertices));
    }));
    scene.classify();
    return scene;
  }

  constructor(gl, recording) {
    this.gl = gl;
    this.recording = recording;
    this.surfaces = new Map();
    this.meshBounds = new Map();
    this.box = new Surface(gl, boxCorners());
    this.shapeTable = this.createShapeTable(recording.header.shapes);
    this.colours = this.createColours(recording.header.materials);
    // Two alternating buffers: one may still be drawn while the other is written.
    this.buffers = [0, 1].map(() => ({ buffer: gl.createBuffer(), size: 0 }));
    this.turn = 0;
    this.cloud = new Cloud(gl);
    this.showsParticles = false;
    this.block = null;
    this.groups = [];
    this.poses = [];
    this.version = 0;
    this.uploadSeconds = 0;
  }

  // One texel per shape (the range of its spheres), then one texel per sphere.
  createShapeTable(shapes) {
    const texels = [];
    let next = shapes.length;
    for (const shape of shapes) {
      texels.push([next, shape.spheres.length, 0, 0]);
      next += shape.spheres.length;
    }
    for (const shape of shapes) for (const sphere of shape.spheres) texels.push(sphere);
    const { gl } = this;
    const rows = Math.max(1, Math.ceil(texels.length / TABLE_WIDTH));
    const data = new Float32Array(4 * TABLE_WIDTH * rows);
    texels.forEach((texel, at) => data.set(texel, 4 * at));
    return createTable(gl, gl.RGBA32F, gl.RGBA, gl.FLOAT, TABLE_WIDTH, rows, data);
  }

  createColours(materials) {
    const { gl } = this;
    const colours = colourTable(materials);
    const rows = Math.ceil(colours.length / 4 / 256);
    const data = new Uint8Array(4 * 256 * rows);
    data.set(colours);
    return createTable(gl, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, 256, rows, data);
  }

  // Which shapes are drawn together.
  classify() {
    const { shapes, detail } = this.recording.header;
    const carriers = new Set(detail?.guides);
    const look = (shape) => (shape.mesh ?? null) === null ? `${shape.spheres.length} spheres` : `mesh ${shape.mesh}`;
    const keys = shapes.map((shape, index) => `${look(shape)}${carriers.has(index) ? " below particles" : ""}`);
    const distinct = [...new Set(keys)];
    this.classOf = Uint32Array.from(keys, (key) => distinct.indexOf(key));
    this.classes = distinct.map((key) => {
      const shape = shapes[keys.indexOf(key)];
      const mesh = shape.mesh ?? null;
      const [spheres, surface] = mesh === null ? [shape.spheres.length, null] : [0, this.surfaces.get(mesh)];
      return { spheres, surface, isCarrier: carriers.has(keys.indexOf(key)), first: 0, count: 0, vaos: [null, null] };
    });
    // Typical size of the grains of a pile, for effects that depend on it.
    const radii = shapes.flatMap((shape) => shape.spheres.map((sphere) => sphere[3]));
    this.grain = radii.length > 0 ? radii.reduce((sum, radius) => sum + radius, 0) / radii.length : 0;
    const reach = (sphere) => Math.hypot(sphere[0], sphere[1], sphere[2]) + sphere[3];
    this.largest = shapes.flatMap((shape) => shape.spheres.map(reach)).reduce((a, b) => Math.max(a, b), 0);
  }

  // Shows a block.
  upload(block) {
    const started = performance.now();
    const { gl } = this;
    this.block = block;
    this.poses = readPoses(block);
    this.turn = 1 - this.turn;
    this.version += 1;
    const rows = this.classes.length > 1 ? this.sorted(block) : bodyRows(block);
    if (this.classes.length === 1) Object.assign(this.classes[0], { first: 0, count: block.head.bodies });
    const target = this.buffers[this.turn];
    gl.bindBuffer(gl.ARRAY_BUFFER, target.buffer);
    if (rows.byteLength > target.size) {
      // Spare capacity, so that a growing scene does not need a new buffer in each frame.
      target.size = Math.ceil((rows.byteLength * 1.25) / BODY) * BODY;
      gl.bufferData(gl.ARRAY_BUFFER, target.size, gl.DYNAMIC_DRAW);
    }
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, rows);
    this.uploadedBytes = rows.byteLength;
    this.uploadSeconds = (performance.now() - started) / 1000;
  }

  uploadParticles(block) {
    this.cloud.upload(block);
    this.version += 1;
  }

  // Sets whether particles are drawn, or their carriers.
  showParticles(isShown) {
    this.showsParticles = isShown;
    this.version += 1;
  }

  // The rows of a block, sorted by class; within a class they keep their order.
  sorted(block) {
    const bytes = bodyRows(block);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    const { bodies } = block.head;
    const counts = new Uint32Array(this.classes.length);
    for (let at = SHAPE_WORD; at < words.length; at += BODY_WORDS) counts[this.classOf[words[at]]] += 1;
    let first = 0;
    const next = new Uint32Array(this.classes.length);
    this.classes.forEach((group, index) => {
      Object.assign(group, { first, count: counts[index] });
      next[index] = first;
      first += counts[index];
    });
    if (!this.scratch || this.scratch.length < words.length) this.scratch = new Uint32Array(words.length);
    for (let row = 0; row < bodies; row += 1) {
      const from = row * BODY_WORDS;
      const group = this.classOf[words[from + SHAPE_WORD]];
      const to = next[group] * BODY_WORDS;
      next[group] += 1;
      for (let k = 0; k < BODY_WORDS; k += 1) this.scratch[to + k] = words[from + k];
    }
    return new Uint8Array(this.scratch.buffer, 0, words.byteLength);
  }

  // The rows on the graphics card, read back from it.
  readBack() {
    const { gl } = this;
    const bytes = new Uint8Array(this.block ? this.uploadedBytes : 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[this.turn].buffer);
    if (bytes.length > 0) gl.getBufferSubData(gl.ARRAY_BUFFER, 0, bytes);
    return bytes;
  }

  // Draws all bodies, or all but carriers. `spheres` and `meshes` return the programs of the pass.
  drawBodies(spheres, meshes, isBelowParticles) {
    const { gl } = this;
    if (!this.block) return;
    for (const group of this.classes) {
      if (isBelowParticles && group.isCarrier) continue;
      if (group.count === 0 || (!group.surface && group.spheres === 0)) continue;
      const { program, uniforms } = group.surface ? meshes() : spheres();
      gl.useProgram(program);
      this.bindRows(group);
      if (group.surface) {
        gl.drawArraysInstanced(gl.TRIANGLES, 0, group.surface.count, group.count);
      } else {
        gl.uniform1i(uniforms.spheres, group.spheres);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, group.count * group.spheres);
      }
    }
    gl.bindVertexArray(null);
  }

  bindRows(group) {
    const { gl } = this;
    group.vaos[this.turn] ??= { vao: gl.createVertexArray(), first: -1 };
    const own = group.vaos[this.turn];
    gl.bindVertexArray(own.vao);
    if (own.first === group.first) return;
    own.first = group.first;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[this.turn].buffer);
    const start = group.first * BODY;
    const floats = (place, count, offset) => gl.vertexAttribPointer(place, count, gl.FLOAT, false, BODY, start + offset);
    const words = (place, count, offset) => gl.vertexAttribIPointer(place, count, gl.UNSIGNED_INT, BODY, start + offset);
    floats(0, 3, 0);
    floats(1, 1, 12);
    gl.vertexAttribPointer(2, 4, gl.SHORT, true, BODY, start + 16);
    floats(3, 3, 24);
    words(4, 2, 36);
    words(5, 1, 44);
    words(6, 1, 48);
    words(7, 1, 52);
    words(8, 1, 56);
    for (let place = 0; place <= 8; place += 1) {
      gl.enableVertexAttribArray(place);
      // One row serves all spheres of its body.
      gl.vertexAttribDivisor(place, Math.max(1, group.spheres));
    }
    group.surface?.bind(gl);
  }

  // The finite obstacles with this look: pose, surface, size and colour. `setting` is one look for
  // all of them, or "scene" for the look of each.
  obstacles(look, setting) {
    const { obstacles } = this.recording.header;
    return this.poses.flatMap((pose, index) => {
      const { surface, look: own, colour: painted } = obstacles[index];
      if (surface === "plane" || (setting === "scene" ? own : setting) !== look) return [];
      // Its own colour or grey: its material often has the colour of the bodies in it.
      const colour = painted ? materialColour({ colour: painted }, 0) : OBSTACLE;
      const [drawn, extent] = surface.box ? [this.box, surface.box] : [this.surfaces.get(surface.mesh), [1, 1, 1]];
      return [{ index, pose, surface: drawn, extent, colour }];
    });
  }

  // The infinite planes that the scene shows.
  planes() {
    const { obstacles } = this.recording.header;
    return this.poses.filter((_, index) => obstacles[index].surface === "plane" && obstacles[index].look !== "hidden");
  }

  // Bounds of the bodies of a block and of the visible obstacles.
  bounds(block) {
    const { head } = block;
    const margin = this.largest * (head.largestSize || 1);
    const boxes = [];
    if (head.bodies > 0) {
      boxes.push({ least: head.least.map((v) => v - margin), largest: head.largest.map((v) => v + margin) });
    }
    const { obstacles } = this.recording.header;
    readPoses(block).forEach((pose, index) => {
      const { surface, look } = obstacles[index];
      if (look === "hidden") return;
      const mesh = surface.mesh === undefined ? null : this.meshBounds.get(surface.mesh);
      const own = surface.box ? { least: surface.box.map((v) => -v), largest: surface.box } : mesh;
      if (own) boxes.push(turned(own, pose));
    });
    return join(boxes);
  }
}

// Bounding box of a transformed box.
function turned({ least, largest }, { position, orientation }) {
  const centre = scale(add(least, largest), 0.5);
  const half = largest.map((v, k) => v - centre[k]);
  const middle = add(position, rotate(orientation, centre));
  const axes = [0, 1, 2].map((k) => rotate(orientation, [0, 1, 2].map((j) => (j === k ? half[k] : 0))));
  const reach = [0, 1, 2].map((k) => axes.reduce((sum, axis) => sum + Math.abs(axis[k]), 0));
  return { least: middle.map((v, k) => v - reach[k]), largest: middle.map((v, k) => v + reach[k]) };
}

// Bounding box of several boxes; null for none.
export function join(boxes) {
  const sound = boxes.filter((box) => box && [...box.least, ...box.largest].every(Number.isFinite));
  if (sound.length === 0) return null;
  const over = (name, choose) => [0, 1, 2].map((k) => choose(...sound.map((box) => box[name][k])));
  return { least: over("least", Math.min), largest: over("largest", Math.max) };
}
