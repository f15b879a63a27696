import { object, oneOf } from '../shape.ts';

/** Protocol version. Changes when an old element and a new frame, or the reverse, become incompatible. */
export const FRAME_PROTOCOL = 'paylatch/1';

/**
 * The only message between windows: the element passes one end of a `MessageChannel` to the frame. All later messages
 * use that channel.
 */
export const isConnect = /* @__PURE__ */ object({ connect: /* @__PURE__ */ oneOf(FRAME_PROTOCOL) });
