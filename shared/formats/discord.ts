/**
 * A message for a Discord webhook: https://discord.com/developers/docs/resources/webhook#execute-webhook.
 * Limits: 2,000 characters of content, 256 of an embed's title, 4,096 of its description, 6,000 in all embeds
 * (https://discord.com/developers/docs/resources/message#embed-object-embed-limits).
 */
import { headlineOf } from './headline.ts';
import type { Preset } from './preset.ts';
import { jsonBody } from './rendering.ts';
import { type Escape, shorten } from './shorten.ts';

const maxTitle = 256;
/** Less than a description allows: it is a preview. */
const maxExcerpt = 600;
const maxName = 256;

/** Markdown and mentions are escaped; `allowed_mentions` keeps anyone from being notified anyway. */
const escaped: Escape = (text) => text.replace(/[\\*_~`|>#<()[\]:-]/g, '\\$&').replaceAll('@', '@\u200b');

export const discord: Preset<Record<never, never>> = {
  settings: {},
  // In API versions before 8, and in URLs without one, `Retry-After` is in ms. This header always has seconds
  // (https://discord.com/developers/docs/topics/rate-limits).
  read: (answer) => {
    const seconds = answer.headers['x-ratelimit-reset-after'];
    return seconds === undefined ? answer : { ...answer, headers: { ...answer.headers, 'retry-after': seconds } };
  },
  render: (rendering) => {
    const { sentence, excerpt, link, image, author } = headlineOf(rendering);
    return jsonBody({
      embeds: [
        {
          title: shorten(sentence, maxTitle, escaped),
          ...(link && { url: link }),
          ...(excerpt && { description: shorten(excerpt, maxExcerpt, escaped) }),
          ...(author && { author: { name: shorten(author, maxName) } }),
          ...(image && { image: { url: image } }),
          timestamp: rendering.event_time,
        },
      ],
      allowed_mentions: { parse: [] },
    });
  },
};
