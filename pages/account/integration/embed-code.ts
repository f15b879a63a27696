/** Appearance of the form; null for its default. */
export interface FormAppearance {
  theme: 'auto' | 'light' | 'dark';
  accent: string | null;
  /** Corner radius in pixels. */
  radius: number | null;
}

/** The HTML for the shop's page. */
export function embedCode({ url, integrity }: { url: string; integrity: string }, appearance: FormAppearance): string {
  const { theme, accent, radius } = appearance;
  const integrityAttributes = integrity === '' ? '' : `\n  integrity="${integrity}" crossorigin="anonymous"`;
  const tokens = [
    ...(accent === null ? [] : [`--pay-form-accent: ${accent};`]),
    ...(radius === null ? [] : [`--pay-form-radius: ${radius}px;`, `--pay-form-button-radius: ${radius}px;`]),
  ];
  const style = tokens.length === 0 ? [] : ['<style>', `  pay-form { ${tokens.join(' ')} }`, '</style>'];
  return [
    `<script type="module" src="${url}"${integrityAttributes}></script>`,
    ...style,
    `<pay-form src="EMBED_URL"${theme === 'auto' ? '' : ` theme="${theme}"`}></pay-form>`,
  ].join('\n');
}
