/** What Stryker does not mutate: prose for people, whose wording no test should repeat. */
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** As much of Babel's syntax tree as is read here. */
interface Syntax {
  readonly type: string;
  /** Of a string. */
  readonly value?: unknown;
  /** Of a template string: the texts between its values. */
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  /** Of a call. */
  readonly callee?: Syntax;
  /** Of a member such as `log.info`. */
  readonly object?: Syntax;
  readonly name?: string;
}

interface SyntaxPath {
  readonly node: Syntax;
  readonly parentPath: SyntaxPath | null;
}

/** Returns why the mutants of this syntax are ignored, undefined where they are not. */
export function reasonToIgnore(path: SyntaxPath): string | undefined {
  if (!isProse(path.node)) return undefined;
  for (let at = path.parentPath; at !== null; at = at.parentPath) {
    if (at.node.type === 'NewExpression' && at.node.callee?.name?.endsWith('Error')) return 'the wording of an error';
    if (at.node.type === 'CallExpression' && at.node.callee?.object?.name === 'log') return 'the wording of a log line';
    if (at.node.type === 'CallExpression' && at.node.callee?.object?.name === 'v') return 'the wording of a schema';
    // What a function inside an argument does is more than wording.
    if (at.node.type.includes('Function')) return undefined;
  }
  return undefined;
}

/** Codes and names have no space; sentences have. */
function isProse({ type, value, quasis = [] }: Syntax): boolean {
  if (type === 'StringLiteral') return typeof value === 'string' && value.includes(' ');
  return type === 'TemplateLiteral' && quasis.some(({ value }) => value.raw.includes(' '));
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'prose', {
    shouldIgnore: (path) => reasonToIgnore(path as SyntaxPath),
  }),
];
