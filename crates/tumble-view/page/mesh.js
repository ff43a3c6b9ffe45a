// Surfaces for drawing: meshes of the recording with normals, boxes and cylinders.

import { createBuffer } from "./gl.js";

// Faces that meet at less than this angle are shaded smoothly; otherwise there is an edge [cosine].
const CREASE = Math.cos((42 / 180) * Math.PI);

// Attribute locations of vertices and normals in the shaders.
const VERTEX = 9;
const NORMAL = 10;

// Normals of the triangles; their length is twice the area.
function faceNormals(vertices, triangles) {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [0, 1, 2].map((k) => vertices[b + k] - vertices[a + k]);
    const [vx, vy, vz] = [0, 1, 2].map((k) => vertices[c + k] - vertices[a + k]);
    normals.set([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], t);
  }
  return normals;
}

// The triangles around each vertex, as one list with the start of each vertex's part.
function around(count, triangles) {
  const starts = new Uint32Array(count + 1);
  for (const corner of triangles) starts[corner + 1] += 1;
  for (let v = 0; v < count; v += 1) starts[v + 1] += starts[v];
  const fill = starts.slice();
  const faces = new Uint32Array(triangles.length);
  triangles.forEach((corner, at) => {
    faces[fill[corner]] = Math.floor(at / 3);
    fill[corner] += 1;
  });
  return { starts, faces };
}

// Position and normal of every corner; the normal is averaged over the faces of the same smooth
// surface.
export function withNormals({ vertices, triangles }) {
  const normals = faceNormals(vertices, triangles);
  const { starts, faces } = around(vertices.length / 3, triangles);
  const dot = (a, b) => normals[3 * a] * normals[3 * b] + normals[3 * a + 1] * normals[3 * b + 1] + normals[3 * a + 2] * normals[3 * b + 2];
  const size = new Float32Array(triangles.length / 3).map((_, face) => Math.sqrt(dot(face, face)));
  const out = new Float32Array(6 * triangles.length);
  triangles.forEach((corner, at) => {
    const own = Math.floor(at / 3);
    const sum = [0, 0, 0];
    for (let k = starts[corner]; k < starts[corner + 1]; k += 1) {
      const face = faces[k];
      if (face === own || dot(own, face) > CREASE * size[own] * size[face]) {
        for (let axis = 0; axis < 3; axis += 1) sum[axis] += normals[3 * face + axis];
      }
    }
    const length = Math.hypot(...sum) || 1;
    out.set([vertices[3 * corner], vertices[3 * corner + 1], vertices[3 * corner + 2]], 6 * at);
    out.set(sum.map((part) => part / length), 6 * at + 3);
  });
  return out;
}

// A box with half lengths 1.
export function boxCorners() {
  const out = [];
  for (let axis = 0; axis < 3; axis += 1) {
    for (const side of [-1, 1]) {
      const corner = (u, v) => {
        const p = [0, 0, 0];
        [p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]] = [side, u * side, v];
        const n = [0, 0, 0];
        n[axis] = side;
        return [...p, ...n];
      };
      out.push(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, -1), corner(1, 1), corner(-1, 1));
    }
  }
  return new Float32Array(out.flat());
}

// A cylinder with radius 1 from z = 0 to 1, with its two ends.
export function cylinderCorners(sides = 64) {
  const out = [];
  const rim = (k, z, n) => {
    const angle = (2 * Math.PI * k) / sides;
    return [Math.cos(angle), Math.sin(angle), z, ...(n ?? [Math.cos(angle), Math.sin(angle), 0])];
  };
  for (let k = 0; k < sides; k += 1) {
    out.push(rim(k, 0), rim(k + 1, 0), rim(k + 1, 1), rim(k, 0), rim(k + 1, 1), rim(k, 1));
    const [down, up] = [[0, 0, -1], [0, 0, 1]];
    out.push([0, 0, 0, ...down], rim(k + 1, 0, down), rim(k, 0, down), [0, 0, 1, ...up], rim(k, 1, up), rim(k + 1, 1, up));
  }
  return new Float32Array(out.flat());
}

// Corners on the graphics card. `vao` draws a single surface; `bind` adds the corners to the
// attributes of an instanced draw.
export class Surface {
  constructor(gl, corners) {
    this.count = corners.length / 6;
    this.buffer = createBuffer(gl, gl.ARRAY_BUFFER, corners);
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    this.bind(gl);
    gl.bindVertexArray(null);
  }

  bind(gl) {
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.enableVertexAttribArray(VERTEX);
    gl.vertexAttribPointer(VERTEX, 3, gl.FLOAT, false, 24, 0);
    gl.enableVertexAttribArray(NORMAL);
    gl.vertexAttribPointer(NORMAL, 3, gl.FLOAT, false, 24, 12);
  }
}

// Bounding box of the corners.
export function boundsOf(vertices) {
  const least = [Infinity, Infinity, Infinity];
  const largest = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < vertices.length; k += 1) {
    least[k % 3] = Math.min(least[k % 3], vertices[k]);
    largest[k % 3] = Math.max(largest[k % 3], vertices[k]);
  }
  return { least, largest };
}
