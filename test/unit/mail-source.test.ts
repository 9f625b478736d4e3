/** The source of a mail (MIME): what people typed stays in its header or part, readable for every mail program. */
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { expect, it } from 'vitest';
import { sourceOf } from '../../shared/aws/mail.ts';
import { oneLine } from '../../shared/foundation/text.ts';

const written = async (name: string, subject: string, text: string) => {
  const mail = { to: 'Ada@Example.com', replyTo: 'Olive@Example.com', subject, text, html: `<p>${text}</p>` };
  const source = await sourceOf(mail, { name: oneLine(name), address: 'desk@example.com' });
  return { source: source.toString('latin1'), mail: await PostalMime.parse(source) };
};

const headers = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
  'x-auto-response-suppress',
];

// A replacement character in the input looks like a decoding error.
const typed = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom('a', '\r', '\n', '"', '<', '>', ':', ',', ';', '=', '?', 'é', '💌', ' '),
      maxLength: 200,
    }),
  )
  .filter((text) => !text.includes('\ufffd'));

it('names, subjects and texts start no header and no part, and are ASCII in lines of at most 998 bytes', async () => {
  await fc.assert(
    fc.asyncProperty(typed, typed, typed, async (name, subject, text) => {
      const { source, mail } = await written(name, subject, `${oneLine(text)}\n\n${oneLine(text)}`);
      const found = mail.headers.map(({ key }) => key).sort();
      expect(found).toEqual(headers.filter((header) => header !== 'subject' || oneLine(subject) !== ''));
      expect(mail.attachments).toEqual([]);
      expect(source.replaceAll('\r\n', '')).toMatch(/^[\x20-\x7e\t]*$/);
      expect(Math.max(...source.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998);
    }),
    { numRuns: 200 },
  );
});

it.each(['The "Daily" \\ Owl, Inc.', 'Füchse und Hasen '.repeat(6).trim(), '每日新聞', 'a@b.example <x>', '💌 Post'])(
  'the name of the publication and the subject arrive as they are: %s',
  async (name) => {
    const { mail } = await written(name, name, 'Hello');
    expect(mail.from).toEqual({ name, address: 'desk@example.com' });
    expect(mail.subject).toBe(name);
    expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'to', value: 'Ada@example.com' }));
  },
);
