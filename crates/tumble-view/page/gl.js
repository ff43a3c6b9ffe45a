// Helpers for WebGL2, with error messages.

const SPARE = 7;

export function createContext(canvas) {
  // The picture is drawn into separate buffers, so the canvas needs neither depth nor samples.
  const options = { antialias: false, depth: false, alpha: false, powerPreference: "high-performance" };
  const gl = canvas.getContext("webgl2", options);
  if (!gl) throw new Error("This browser has no WebGL2. Its settings may have switched off hardware graphics.");
  return gl;
}

export function createProgram(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
      throw new Error(`A shader does not compile: ${gl.getShaderInfoLog(shader)}`);
    }
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`A program does not link: ${gl.getProgramInfoLog(program)}`);
  }
  const block = gl.getUniformBlockIndex(program, "View");
  if (block !== gl.INVALID_INDEX) gl.uniformBlockBinding(program, block, 0);
  const uniforms = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let k = 0; k < count; k += 1) {
    const { name } = gl.getActiveUniform(program, k);
    uniforms[name] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

// A texture that shaders read texel by texel.
export function createTable(gl, internal, format, type, width, height, data) {
  const texture = gl.createTexture();
  // Uses a texture unit that no shader reads, so that bindings for drawing stay.
  bindTexture(gl, SPARE, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, internal, width, height, 0, format, type, data);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  return texture;
}

export function createRenderbuffer(gl, format, width, height, samples) {
  const buffer = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
  gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, width, height);
  return buffer;
}

// A framebuffer of textures and renderbuffers: pairs of an attachment point and its image.
export function createFramebuffer(gl, attachments) {
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  for (const [place, thing] of attachments) {
    if (thing instanceof WebGLTexture) gl.framebufferTexture2D(gl.FRAMEBUFFER, place, gl.TEXTURE_2D, thing, 0);
    else gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, thing);
  }
  return framebuffer;
}

export function createBuffer(gl, target, data) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(target, buffer);
  gl.bufferData(target, data, gl.STATIC_DRAW);
  return buffer;
}

export function bindTexture(gl, unit, texture) {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
}
