/** Receivers that hang, answer three requests quickly, and hang again. */
import type { Behaviour } from './receivers.ts';
import type { World } from './world.ts';

const hangsMs = 20_000;
const answersBetween = 3;

/** Returns the behaviour of receivers, each of which hangs for 20 s, from its first request on, whenever it has answered three requests. */
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
