/** What whoever runs the service must know, in one sentence or two: told as it is, without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
