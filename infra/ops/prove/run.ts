/** Asks the questions of `ops prove` one after the other, and removes what was made, also after an interruption. */
import { type Answer, different, notRun, type Question, type World } from './question.ts';

export interface Asked {
  readonly question: Question;
  readonly answer: Answer;
}

/** Asks each question, until `interrupted`; an error is an answer too. @param onAnswer is called after each question */
export const askAll = async (
  questions: readonly Question[],
  world: World,
  onAnswer: (asked: Asked) => void,
  interrupted: () => boolean,
): Promise<readonly Asked[]> => {
  const all: Asked[] = [];
  for (const question of questions) {
    if (interrupted()) break;
    const answer = await question.ask(world).catch((error: unknown) => answerOf(error));
    const asked = { question, answer };
    all.push(asked);
    onAnswer(asked);
  }
  return all;
};

/** A refusal by AWS, such as a missing permission of the operator, leaves the question open. */
const answerOf = (error: unknown): Answer => {
  if (!(error instanceof Error)) return different(String(error));
  const text = `${error.name}: ${error.message.split('\n', 1)[0]}`;
  return '$metadata' in error || '$response' in error ? notRun(text) : different(text);
};
