/** The code of docs/receiving.md, run as a reader would: it accepts a real delivery, and refuses a changed one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signatures } from '../../shared/deliveries/sender/signature.ts';
import { hour, minute, second } from '../../shared/foundation/clock.ts';
import { defaultSettings } from '../support/default-settings.ts';
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

it('the guide states the default retry schedule of a stage', () => {
  const [, list = ''] = /retries after ([^|]+), with jitter/.exec(guide) ?? [];
  const units: Readonly<Record<string, number>> = { s: second, min: minute, h: hour };
  const documented = [...list.matchAll(/(\d+) (s|min|h)\b/g)].map(
    ([, count, unit = '']) => (Number(count) * (units[unit] ?? 0)) / second,
  );
  expect(documented).toEqual(defaultSettings.deliveries.retryAfterSeconds.slice(1));
});

interface Language {
  readonly name: string;
  /** Arguments that start a program. */
  readonly run: readonly [string, ...string[]];
  readonly file: string;
  /** The guide's functions in a program that reads `{secret, headers, body}` and prints for each if it is accepted. */
  readonly program: string;
}

const node = (call: string) => `
import { readFileSync } from 'node:fs';
for (const { secret, headers, body } of JSON.parse(readFileSync(0, 'utf8'))) {
  try {
    ${call}(secret, headers, body);
    console.log('accepted');
  } catch {
    console.log('refused');
  }
}`;
const python = (call: string) => `
import json, sys
for given in json.load(sys.stdin):
    try:
        ${call}(given["secret"], given["headers"], given["body"].encode())
        print("accepted")
    except Exception:
        print("refused")`;
const go = (call: string) => `
func main() {
	var list []struct {
		Secret, Body string
		Headers      map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&list); err != nil {
		panic(err)
	}
	for _, given := range list {
		headers := http.Header{}
		for name, value := range given.Headers {
			headers.Set(name, value)
		}
		if ${call}(given.Secret, headers, []byte(given.Body)) == nil {
			os.Stdout.WriteString("accepted\\n")
		} else {
			os.Stdout.WriteString("refused\\n")
		}
	}
}`;
const php = (call: string) => `
foreach (json_decode(file_get_contents('php://stdin'), true) as $given) {
    try {
        ${call}($given['secret'], $given['headers'], $given['body']);
        echo "accepted\\n";
    } catch (Throwable) {
        echo "refused\\n";
    }
}`;
const ruby = (call: string) => `
require 'json'
JSON.parse($stdin.read).each do |given|
  ${call}(*given.values_at('secret', 'headers', 'body'))
  puts 'accepted'
rescue StandardError
  puts 'refused'
end`;

const nodeRun = [process.execPath] as const;
const goBlock = () => block('go').replace('import (', 'import (\n\t"encoding/json"\n\t"os"');
const languages: readonly Language[] = [
  { name: 'Node.js', run: nodeRun, file: 'standard.mjs', program: block('js\n// node') + node('verify') },
  { name: 'Node.js, Ghost', run: nodeRun, file: 'ghost.mjs', program: block('js\n// node') + node('verifyGhost') },
  {
    name: 'Node.js library',
    run: nodeRun,
    file: 'library.mjs',
    program: block('js\n// node: library') + node('verify'),
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

describe.each(Object.entries(secrets))('a delivery that is signed with %s', async (_, secret) => {
  const path = `/${encodeURIComponent(secret)}`;
  await webhook(`${receiver.origin}${path}`, { secret });
  await deliver('post.published', { title: 'Größe' });
  const [received] = receiver.deliveries.filter((delivery) => delivery.path === path);
  if (received === undefined) throw new Error('Nothing has come.');
  const { headers, body } = received;

  describe.each(languages.filter(isWanted))('the $name sample', (language) => {
    const resultsOf = (cases: readonly object[]): readonly string[] => {
      const file = join(folder, language.file);
      writeFileSync(file, language.program);
      const [program, ...args] = language.run;
      const input = JSON.stringify(cases.map((given) => ({ secret, headers, body, ...given })));
      const { stdout, stderr, error } = spawnSync(program, [...args, file], { input, encoding: 'utf8' });
      if (error !== undefined) throw error;
      if (stdout === '') throw new Error(stderr);
      return stdout.trim().split('\n');
    };
    const signedBefore = (seconds: number) => {
      const signed = signatures({ id: 'd1', body, now: Date.now() - seconds * 1000, secrets: [secret] });
      return Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
    };

    const { 'webhook-signature': _standard, 'x-ghost-signature': _ghost, ...unsigned } = headers;
    const otherSecret = `whsec_${Buffer.from('another key of thirty-two bytes!').toString('base64')}`;

    it.skipIf(!isInstalled(language))(
      'accepts it, and refuses a changed body, secret or time, and a missing signature',
      () => {
        const cases = {
          'as it was sent': {},
          'signed four minutes ago': { headers: signedBefore(240) },
          'signed six minutes ago': { headers: signedBefore(360) },
          'another body': { body: body.replace('"current"', '"Current"') },
          'another secret': { secret: otherSecret },
          'no signature': { headers: unsigned },
        };
        const results = resultsOf(Object.values(cases));
        expect(Object.fromEntries(Object.keys(cases).map((name, position) => [name, results[position]]))).toEqual({
          'as it was sent': 'accepted',
          'signed four minutes ago': 'accepted',
          'signed six minutes ago': 'refused',
          'another body': 'refused',
          'another secret': 'refused',
          'no signature': 'refused',
        });
      },
    );
  });
});
