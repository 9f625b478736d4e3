/** Receivers that hang, answer three requests quickly, and hang again. */
import type { Behaviour } from './receivers.ts';
import type { World } from './world.ts';

const hangsMs = 20_000;
const answersBetween = 3;

/** Returns the behaviour of receivers that hang for 20 s, from the first request and after every three answers. */
export const flipping = (world: World): ((hook: number) => Behaviour) => {
  const states = new Map<number, { hangsUntil: number; answers: number }>();
  return (hook) => {
    const state = states.get(hook) ?? { hangsUntil: world.now + hangsMs, answers: 0 };
    states.set(hook, state);
    if (world.now < state.hangsUntil) return 'hang';
    state.answers++;
    if (state.answers >= answersBetween) Object.assign(state, { hangsUntil: world.now + hangsMs, answers: 0 });
    return { status: 200, ms: world.between(10, 30) };
  };
};
