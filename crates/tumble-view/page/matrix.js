// Vectors of three numbers and column-major 4x4 matrices for WebGL. Pure functions; z is up.

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, factor) => [a[0] * factor, a[1] * factor, a[2] * factor];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);

export function normalize(a) {
  const l = length(a);
  return l > 0 ? scale(a, 1 / l) : [0, 0, 1];
}

// Rotates a vector by a unit quaternion w, x, y, z.
export function rotate(q, v) {
  const axis = [q[1], q[2], q[3]];
  const t = scale(cross(axis, v), 2);
  return add(add(v, scale(t, q[0])), cross(axis, t));
}

export function multiply(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column += 1) {
    for (let row = 0; row < 4; row += 1) {
      let sum = 0;
      for (let k = 0; k < 4; k += 1) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}

// View matrix along `forward` from the origin: positions are relative to the eye, so that large
// coordinates keep their precision.
export function look(right, up, forward) {
  return new Float32Array([
    right[0], up[0], -forward[0], 0,
    right[1], up[1], -forward[1], 0,
    right[2], up[2], -forward[2], 0,
    0, 0, 0, 1,
  ]);
}

// `shift` is the position of the view's centre in the picture, from -1 to 1.
export function perspective(tangent, aspect, near, far, shift) {
  const depth = near - far;
  return new Float32Array([
    1 / (tangent * aspect), 0, 0, 0,
    0, 1 / tangent, 0, 0,
    -shift[0], -shift[1], (far + near) / depth, -1,
    0, 0, (2 * far * near) / depth, 0,
  ]);
}

// Orthographic view along `forward`: everything within `radius` of `centre` fills the picture.
export function orthographic(right, up, forward, centre, radius) {
  const s = 1 / radius;
  const back = scale(forward, -1);
  return new Float32Array([
    right[0] * s, up[0] * s, -back[0] * s, 0,
    right[1] * s, up[1] * s, -back[1] * s, 0,
    right[2] * s, up[2] * s, -back[2] * s, 0,
    -dot(right, centre) * s, -dot(up, centre) * s, dot(back, centre) * s, 1,
  ]);
}

// Enlarges one pixel to the whole picture: x and y are its centre, from -1 to 1.
export function zoomTo(x, y, width, height) {
  return new Float32Array([width, 0, 0, 0, 0, height, 0, 0, 0, 0, 1, 0, -x * width, -y * height, 0, 1]);
}

// Projects a point relative to the eye: position in the picture, from -1 to 1, and depth along the
// view; null behind the eye.
export function project(matrix, p) {
  const at = (row) => matrix[row] * p[0] + matrix[4 + row] * p[1] + matrix[8 + row] * p[2] + matrix[12 + row];
  const w = at(3);
  return w > 0 ? [at(0) / w, at(1) / w, w] : null;
}
