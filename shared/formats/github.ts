/**
 * A `repository_dispatch` event, which starts workflows of GitHub Actions:
 * https://docs.github.com/rest/repos/repos#create-a-repository-dispatch-event. Limits: 100 characters of `event_type`,
 * ten properties at the top of `client_payload`, less than 64 KB in all.
 */
import * as v from 'valibot';
import { maxChars, text } from '../foundation/fields.ts';
import { field, secret } from '../foundation/resource.ts';
import type { Preset } from './preset.ts';
import { type Fields, jsonBody, linkOf, resourceOf, subjectOf, textOf } from './rendering.ts';
import { shorten } from './shorten.ts';

/** Below GitHub's 65,535, with room for the other properties. */
const maxBody = 60_000;

export const github: Preset<{ readonly token: string }> = {
  settings: {
    token: secret(
      field(
        v.nullable(v.pipe(text, maxChars(255), v.regex(/^[\x21-\x7e]+$/, 'must have visible ASCII characters only.'))),
        'A token with the permission to write the contents of the repository. Not returned.',
        'github_pat_11A…',
      ),
    ),
  },
  misfit: (_event, targetUrl) =>
    /\/repos\/[^/]+\/[^/]+\/dispatches$/.test(URL.parse(targetUrl)?.pathname ?? '')
      ? undefined
      : 'needs a target_url such as https://api.github.com/repos/<owner>/<repository>/dispatches',
  render: (rendering, { token }) => {
    const { event, event_id, event_time, body } = rendering;
    const isSmall = Buffer.byteLength(JSON.stringify(body)) <= maxBody;
    return jsonBody(
      {
        event_type: event.slice(0, 100),
        client_payload: {
          event,
          event_id,
          event_time,
          ...(isSmall ? { payload: body } : { summary: summaryOf(rendering) }),
        },
      },
      { Authorization: `Bearer ${token}` },
      { Accept: 'application/vnd.github+json', 'X-GitHub-Api-Version': '2022-11-28' },
    );
  },
};

/** What a workflow needs to read the rest from the publication. */
const summaryOf = (rendering: Parameters<typeof github.render>[0]): Fields => {
  const subject = subjectOf(rendering);
  const short = (name: string) => shorten(textOf(subject, name) ?? '', 500) || null;
  return {
    resource: resourceOf(rendering.event),
    id: short('id'),
    title: short('title') ?? short('name'),
    slug: short('slug'),
    status: short('status'),
    url: linkOf(subject, 'url') ?? null,
  };
};
