/** The link of an invitation: Masthead's own page, or the page that the stage has set. */
import { baseUrl, settings } from '../foundation/environment.ts';

/** Returns the link with a token. */
export const linkFor = (token: string): string =>
  (settings().invites.acceptUrl ?? `${baseUrl()}/invitation/{token}/`).replace('{token}', token);
