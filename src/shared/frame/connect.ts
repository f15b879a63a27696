import { object, oneOf } from '../shape.ts';

/** Changes whenever an old element and a new frame, or the other way about, would not understand each other. */
export const FRAME_PROTOCOL = 'paylatch/1';

/**
 * The one message that goes from window to window: the element hands the frame its end of a
 * `MessageChannel`. Everything after it goes through that channel.
 */
export const isConnect = /* @__PURE__ */ object({ connect: /* @__PURE__ */ oneOf(FRAME_PROTOCOL) });
