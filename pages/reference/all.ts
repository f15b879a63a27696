/** Every element that a selector names, as a list. */
export const all = <Found extends Element>(selector: string, within: ParentNode = document) => [
  ...within.querySelectorAll<Found>(selector),
];
