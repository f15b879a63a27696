import type { CardProvider } from './port.ts';

/** How long a question to a provider may take; a charge has a longer time of its own. */
const QUESTION_TIMEOUT_MS = 10_000;

/** A provider whose questions reject when no answer comes in time, so that nobody waits for ever. */
export function withDeadlines(provider: CardProvider, timeoutMs = QUESTION_TIMEOUT_MS): CardProvider {
  const within = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${provider.name} did not answer in ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    name: provider.name,
    charge: (charge) => provider.charge(charge),
    lookUp: (attemptKey) => within(provider.lookUp(attemptKey)),
    abandon: (attemptKey) => within(provider.abandon(attemptKey)),
    reverse: (attemptKey) => within(provider.reverse(attemptKey)),
  };
}
