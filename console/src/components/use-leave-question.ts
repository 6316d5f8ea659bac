import { useBlocker } from '@tanstack/react-router';
import { useEffectEvent, useLayoutEffect } from 'react';

type Question = () => boolean;

/** Questions of what the page would lose now. */
const questions = new Set<Question>();

/**
 * Asks before the page is left, for another one or for that of the sign-in.
 * @param isAsked whether the page would lose anything
 * @param mayLeave asks, and returns the answer
 */
export function useLeaveQuestion(isAsked: boolean, mayLeave: Question): void {
  useBlocker({
    // A change of the address within the page, such as another tab, loses nothing.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !mayLeave(),
    enableBeforeUnload: isAsked,
    disabled: !isAsked,
  });
  const ask = useEffectEvent(mayLeave);
  // In a layout effect, so that an Escape directly after a letter already asks.
  useLayoutEffect(() => {
    if (!isAsked) return;
    const question: Question = () => ask();
    questions.add(question);
    return () => void questions.delete(question);
  }, [isAsked]);
}

/** Returns whether the page would lose anything now. */
export const isLeaveAsked = (): boolean => questions.size > 0;

/** Asks all questions of the page until one is refused. A sign-out needs this, because it is no navigation that can be blocked. */
export const mayLeavePage = (): boolean => [...questions].every((question) => question());
