/** The publication whose staff uses the console: its name, its logo or first letter, and its accent colour. */
import type { JSX } from 'preact';
import type { Settings } from '../../../shared/foundation/settings.ts';

/** What the page says about it. */
type Site = Pick<Settings['publication'], 'name' | 'url' | 'logoUrl' | 'accentColor'>;

export const site: Site = JSON.parse(document.getElementById('app')?.dataset.site ?? '');

/** Chooses dark text on a light colour, and light text on a dark one (WCAG 2.2, 1.4.3). */
const textOn = (colour: string): string => {
  const channels = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((one) =>
    one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
};

export const Mark = (): JSX.Element =>
  site.logoUrl === undefined ? (
    <span class="mark" aria-hidden="true" style={{ background: site.accentColor, color: textOn(site.accentColor) }}>
      {site.name.slice(0, 1).toUpperCase()}
    </span>
  ) : (
    <img class="mark" src={site.logoUrl} alt="" />
  );
