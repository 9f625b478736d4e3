/** The first request of clients of the Ghost Admin API: the site and its version (docs/compatibility.md, "Site"). */
import * as v from 'valibot';
import { currentApiVersion } from '../foundation/api-version.ts';
import { field, type Resource, resource } from '../foundation/resource.ts';
import type { Settings } from '../foundation/settings.ts';

export const siteResource = resource('Site', {
  title: field(v.string(), 'The name of the publication.', 'The Daily Owl'),
  description: field(v.string(), 'A description of the publication; can be empty.', 'News after dark'),
  logo: field(v.nullable(v.string()), 'The URL of its logo; null without one.', 'https://owl.example.org/logo.png'),
  icon: field(v.nullable(v.string()), 'The URL of its icon; null without one.', 'https://owl.example.org/icon.png'),
  accent_color: field(v.string(), 'The colour of buttons and borders.', '#1a4f8b'),
  locale: field(v.string(), 'The language of mails and pages.', 'en'),
  timezone: field(v.string(), 'Its time zone, as the IANA database names it.', 'Etc/UTC'),
  url: field(v.string(), 'The URL of the publication.', 'https://owl.example.org/'),
  version: field(v.string(), 'The version of the API.', '6.0'),
});

export const configResource = resource('Config', {
  version: field(v.string(), 'The version of the API.', '6.0'),
  environment: field(v.string(), 'The name of the stage.', 'prod'),
  egress: field(
    v.nullable(v.array(v.string())),
    'The fixed addresses from which deliveries come; null if they are not fixed.',
    ['203.0.113.7'],
  ),
});

const version = currentApiVersion.slice(1);

/** Returns the site as the settings of the stage describe it. */
export const siteOf = ({ publication }: Pick<Settings, 'publication'>): Resource<typeof siteResource> => ({
  title: publication.name,
  description: publication.description,
  logo: publication.logoUrl ?? null,
  icon: publication.iconUrl ?? null,
  accent_color: publication.accentColor,
  locale: publication.language,
  timezone: publication.timezone,
  // With a trailing slash if it has no path, as in Ghost.
  url: new URL(publication.url).href,
  version,
});

/** Returns the version and the environment of the stage, and from where its deliveries come. */
export const configOf = (
  { stage }: Pick<Settings, 'stage'>,
  addresses: readonly string[] | undefined,
): Resource<typeof configResource> => ({
  version,
  environment: stage,
  egress: addresses === undefined ? null : [...addresses],
});
