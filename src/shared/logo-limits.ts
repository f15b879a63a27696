/** Limits of an uploaded logo. */
export const LOGO_LIMITS = { bytes: 1_000_000, side: 8000, pixels: 10_000_000 } as const;

/** Media types of logos that can be uploaded. */
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
