/** What the responses of invites include on request. */

/** Whether `?include=` names the history; unknown names are ignored, as in Ghost. */
export const wantsHistory = ({ include = '' }: Readonly<Record<string, string | undefined>>): boolean =>
  include.split(',').some((name) => name.trim() === 'history');
