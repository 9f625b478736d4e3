/** The functions of docs/receiving.md, run as a reader would: they accept a real delivery, and refuse what was changed on the way. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signatures } from '../../shared/deliveries/sender/signature.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const stack = await freshStack();
const { webhook, deliver } = deliveryTools(stack, await stack.seed());
const receiver = await receiveWebhooks();
const folder = mkdtempSync(join(tmpdir(), 'masthead-receiving-'));
symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
afterAll(() => {
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const guide = readFileSync(new URL('../../docs/receiving.md', import.meta.url), 'utf8');
/** Returns the guide's only block of code that begins so. */
const block = (begin: string): string => {
  const blocks = guide.split('\n```').filter((text) => text.startsWith(`${begin}\n`));
  const [code] = blocks;
  if (code === undefined || blocks.length > 1) throw new Error(`${blocks.length} blocks begin with ${begin}.`);
  return code.slice(code.indexOf('\n') + 1);
};

interface Language {
  readonly name: string;
  /** Arguments that start a program. */
  readonly run: readonly [string, ...string[]];
  readonly file: string;
  /** The guide's functions, and a program that reads `{secret, headers, body}` and calls one of them. */
  readonly program: string;
}

const scheme = (call: string) => `
import { readFileSync } from 'node:fs';
const { secret, headers, body } = JSON.parse(readFileSync(0, 'utf8'));
${call}(secret, headers, body);`;
const python = (call: string) => `
import json, sys
given = json.load(sys.stdin)
${call}(given["secret"], given["headers"], given["body"].encode())`;
const go = (call: string) => `
func main() {
	var given struct {
		Secret, Body string
		Headers      map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	headers := http.Header{}
	for name, value := range given.Headers {
		headers.Set(name, value)
	}
	if err := ${call}(given.Secret, headers, []byte(given.Body)); err != nil {
		panic(err)
	}
}`;
const php = (call: string) => `
$given = json_decode(file_get_contents('php://stdin'), true);
${call}($given['secret'], $given['headers'], $given['body']);`;
const ruby = (call: string) => `
require 'json'
given = JSON.parse($stdin.read)
${call}(*given.values_at('secret', 'headers', 'body'))`;

const nodeRun = [process.execPath] as const;
const goBlock = () => block('go').replace('import (', 'import (\n\t"encoding/json"\n\t"os"');
const languages: readonly Language[] = [
  { name: 'Node.js', run: nodeRun, file: 'standard.mjs', program: block('js\n// node') + scheme('verify') },
  { name: 'Node.js, Ghost', run: nodeRun, file: 'ghost.mjs', program: block('js\n// node') + scheme('verifyGhost') },
  {
    name: 'Node.js library',
    run: nodeRun,
    file: 'library.mjs',
    program: block('js\n// node: library') + scheme('verify'),
  },
  { name: 'Python', run: ['python3'], file: 'standard.py', program: block('python') + python('verify') },
  { name: 'Python, Ghost', run: ['python3'], file: 'ghost.py', program: block('python') + python('verify_ghost') },
  { name: 'Go', run: ['go', 'run'], file: 'standard.go', program: goBlock() + go('Verify') },
  { name: 'Go, Ghost', run: ['go', 'run'], file: 'ghost.go', program: goBlock() + go('VerifyGhost') },
  { name: 'PHP', run: ['php'], file: 'standard.php', program: block('php') + php('verify') },
  { name: 'PHP, Ghost', run: ['php'], file: 'ghost.php', program: block('php') + php('verify_ghost') },
  { name: 'Ruby', run: ['ruby'], file: 'standard.rb', program: block('ruby') + ruby('verify') },
  { name: 'Ruby, Ghost', run: ['ruby'], file: 'ghost.rb', program: block('ruby') + ruby('verify_ghost') },
];

/** Go compiles for a quarter of a minute: it runs with PHP and Ruby, with `ALL_LANGUAGES=1`. */
const isWanted = ({ name }: Language) => /^(Node|Python)/.test(name) || process.env.ALL_LANGUAGES !== undefined;
const isInstalled = ({ run: [program] }: Language) => spawnSync(program, ['--help']).error === undefined;

const secrets = {
  'a whsec_ secret': `whsec_${Buffer.from('thirty-two bytes of a secret key').toString('base64')}`,
  'a plain secret': 'größer als ASCII',
};

describe.each(Object.entries(secrets))('a delivery signed with %s', async (_, secret) => {
  const path = `/${encodeURIComponent(secret)}`;
  await webhook(`${receiver.origin}${path}`, { secret });
  await deliver('post.published', { title: 'Größe' });
  const [received] = receiver.deliveries.filter((delivery) => delivery.path === path);
  if (received === undefined) throw new Error('Nothing has come.');
  const { headers, body } = received;

  describe.each(languages.filter(isWanted))('$name', (language) => {
    const verifies = (given: object): boolean => {
      const file = join(folder, language.file);
      writeFileSync(file, language.program);
      const [program, ...args] = language.run;
      const { status, error } = spawnSync(program, [...args, file], {
        input: JSON.stringify({ secret, headers, body, ...given }),
      });
      if (error !== undefined) throw error;
      return status === 0;
    };
    const signedBefore = (seconds: number) => {
      const signed = signatures({ id: 'd1', body, now: Date.now() - seconds * 1000, secrets: [secret] });
      return Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
    };

    it.skipIf(!isInstalled(language))(
      'accepts it, and refuses another body, secret or time, and one without a signature',
      () => {
        expect(verifies({})).toBe(true);
        expect(verifies({ body: body.replace('Hello', 'hello').replace('Größe', 'Groesse') })).toBe(false);
        expect(
          verifies({ secret: `whsec_${Buffer.from('another key of thirty-two bytes!').toString('base64')}` }),
        ).toBe(false);
        expect(verifies({ headers: signedBefore(250) })).toBe(true);
        expect(verifies({ headers: signedBefore(310) })).toBe(false);
        const { 'webhook-signature': _standard, 'x-ghost-signature': _ghost, ...unsigned } = headers;
        expect(verifies({ headers: unsigned })).toBe(false);
      },
      60_000,
    );
  });
});
