/** The language of everything that people read: phrases that need a second reading, or have a standard term. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const avoided = [
  /\b(?:mend|mended|mends|whoever|nobody|somebody|anybody)\b/i,
  /\b(?:is|are|be|been|was|were) told\b/i,
  /\btells\b/i,
  /\b(?:lessons?|wishes|gathers?|gathered)\b/i,
  /\b(?:nowhere else|ever after|for ever|once more|bad day|put off)\b/i,
  /\b(?:take|takes) (?:one of|a current)\b/i,
  /\bthere is nothing (?:at|to|left)\b/i,
  /\bis not answered\b/i,
  /\bis no (?:key|JSON|object|number|endpoint|address)\b/i,
  /\bmay not (?:give|do|publish)\b/i,
  /\bwhat (?:stands|is not|is there)\b/i,
  /\b(?:unless said otherwise|of its own accord)\b/i,
  /\b(?:leave (?:it|them) out|leaves out|left out)\b/i,
  /\b(?:keep|keeps|kept|give|gives) (?:back|over)\b/i,
  /\b[eE]-mails?\b/,
];

export interface Text {
  readonly where: string;
  readonly text: string;
}

/** Returns the lines of texts with an avoided phrase, each with its place. */
export const violations = (texts: readonly Text[]): string[] =>
  texts.flatMap(({ where, text }) =>
    text
      .split('\n')
      .filter((line) => avoided.some((phrase) => phrase.test(line)))
      .map((line) => `${where}: ${line.trim().slice(0, 160)}`),
  );

/** Returns the files below a folder, or the one file, with these extensions. */
export const filesAt = (root: string, place: string, extensions: RegExp): Text[] => {
  const path = join(root, place);
  const names = statSync(path).isFile()
    ? [place]
    : readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => `${place}/${name}`);
  return names
    .filter((name) => extensions.test(name))
    .map((where) => ({ where, text: readFileSync(join(root, where), 'utf8') }));
};
