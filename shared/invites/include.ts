/** What the responses of invites include on request. */

import { namesIn } from '../http/parameters.ts';

/** Whether `?include=` names the history; unknown names are ignored, as in Ghost. */
export const wantsHistory = ({ include }: Readonly<Record<string, string | undefined>>): boolean =>
  namesIn(include).includes('history');
