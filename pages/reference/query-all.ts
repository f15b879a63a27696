/** All elements that match a selector, as an array. */
export const queryAll = <Found extends Element>(selector: string, within: ParentNode = document) => [
  ...within.querySelectorAll<Found>(selector),
];
