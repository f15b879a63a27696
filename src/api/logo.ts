import { z } from 'zod';
import { LOGO_LIMITS } from '../shared/logo-limits.ts';
import { instantText } from './text.ts';

const maxBase64Length = Math.ceil(LOGO_LIMITS.bytes / 3) * 4;
/** Size of the request, with room for the JSON around the image. */
export const LOGO_BODY_BYTES = maxBase64Length + 1000;

/** Body of `POST /v1/merchant/logo`. */
export const setLogoRequest = z.strictObject({
  image: z
    .string()
    .max(maxBase64Length, { error: `must be an image of at most ${LOGO_LIMITS.bytes} bytes` })
    .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, { error: 'must be Base64' })
    .min(1)
    .describe(
      `The file in Base64: PNG, JPEG or WebP of at most ${LOGO_LIMITS.bytes} bytes, ${LOGO_LIMITS.side} pixels on each side and ${LOGO_LIMITS.pixels} pixels in total`,
    ),
});

const logo = z
  .object({
    url: z.string().describe('Public URL of the PNG image. It changes with the image'),
    width: z.int().describe('Pixels, at most 256'),
    height: z.int().describe('Pixels, at most 256'),
    uploaded_at: instantText,
  })
  .meta({ id: 'Logo' });
export type Logo = z.infer<typeof logo>;

export const logoResponse = z.object({ logo: logo.nullable().describe('null: no logo is uploaded') });
