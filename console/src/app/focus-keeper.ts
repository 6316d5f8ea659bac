/** An element that had the focus, with its place among its ancestors. */
interface Place {
  element: HTMLElement;
  /** The parents from the inside, with the number of the child that leads to the element. */
  path: { parent: Element; index: number }[];
}

/** Elements whose removal leaves the reader where they had been before: a button, and dialogs above it. */
const maxPlaces = 5;

const focusable = 'a[href], button, input, select, textarea, summary';

/**
 * Moves the focus to a neighbour if the focused element is removed. Otherwise the keyboard would begin at the top of the page again.
 * Returns a function that stops it.
 */
export function keepFocus(): () => void {
  let places: Place[] = [];
  const remember = (): void => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return;
    places = [...places.filter((place) => place.element !== element), placeOf(element)].slice(-maxPlaces);
  };
  // A click beside all elements takes the focus away on purpose.
  const forget = (): void => void (places = []);
  const observer = new MutationObserver((records) => {
    const last = places.at(-1);
    if (document.activeElement !== document.body || last === undefined) return;
    const isMoved = records.some(({ addedNodes }) => [...addedNodes].some((node) => node.contains(last.element)));
    if (last.element.isConnected && !isMoved) return;
    for (const place of places.toReversed()) {
      const next = isReachable(place.element) ? place.element : neighbourOf(place);
      if (next) return next.focus({ preventScroll: true });
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('pointerdown', forget, true);
  const events = ['focusin', 'click', 'keydown'] as const;
  for (const event of events) document.addEventListener(event, remember, true);
  return () => {
    observer.disconnect();
    document.removeEventListener('pointerdown', forget, true);
    for (const event of events) document.removeEventListener(event, remember, true);
  };
}

function placeOf(element: HTMLElement): Place {
  const path: Place['path'] = [];
  for (let child: Element = element; child.parentElement && child !== document.body; child = child.parentElement)
    path.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  return { element, path };
}

/** Returns the element that follows a removed one, or precedes it, in the innermost part of the page that has one. */
function neighbourOf({ path }: Place): HTMLElement | undefined {
  for (const { parent, index } of path) {
    if (!parent.isConnected) continue;
    if (parent === document.body) return undefined;
    const isRegion = parent instanceof HTMLElement && parent.matches('main, [role=dialog]');
    // A page that gives way to another one has no neighbours in it.
    if (isRegion && parent.matches('main')) return parent;
    const children = [...parent.children];
    const after = children.slice(index).flatMap(reachableIn);
    const before = children.slice(0, index).flatMap(reachableIn);
    const next = after[0] ?? before.at(-1);
    if (next) return next;
    if (isRegion) return parent;
  }
  return undefined;
}

const reachableIn = (part: Element): HTMLElement[] =>
  [part, ...part.querySelectorAll(focusable)].filter(
    (element): element is HTMLElement =>
      element instanceof HTMLElement &&
      element.matches(focusable) &&
      isReachable(element) &&
      // A notice is in the same part of the page as a dialog, but it closes by itself.
      !element.closest('.mantine-Notification-root'),
  );

const isReachable = (element: HTMLElement): boolean =>
  element.isConnected &&
  !element.matches(':disabled, [inert] *') &&
  element.checkVisibility({ visibilityProperty: true });
