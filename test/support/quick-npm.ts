/** An `npm` for the PATH that goes through npm once for each command, and for the same command again straight to its script. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const packageFile = join(import.meta.dirname, '../../package.json');

/**
 * Puts it into a folder and gives the environment to run shells with. npm itself takes longer to start than what it starts, and
 * the commands that are printed for pasting name the same few scripts again and again: `npm run -s <script> --prefix <root> [-- <argument>]`.
 */
export function quickNpm(folder: string): NodeJS.ProcessEnv {
  const { scripts } = v.parse(
    v.object({ scripts: v.record(v.string(), v.string()) }),
    JSON.parse(readFileSync(packageFile, 'utf8')),
  );
  const files = Object.entries(scripts).flatMap(([name, command]) => {
    const file = /^node (\S+\.ts)$/.exec(command)?.[1];
    return file === undefined ? [] : [`${name}) exec '${process.execPath}' "$5/${file}" "\${@:7}" ;;`];
  });
  const text = `#!/bin/bash
known="\${0%/*}/known-\${*//[^a-z]/_}"
if [ -e "$known" ]; then
  case "$3" in
    ${files.join('\n    ')}
  esac
fi
: > "$known"
PATH="\${PATH#*:}" exec npm "$@"
`;
  writeFileSync(join(folder, 'npm'), text, { mode: 0o755 });
  return { ...process.env, PATH: `${folder}:${process.env.PATH}` };
}
