// A promise that resolves when all of the page was in view, but what is more than `most` CSS px from
// its top, or would take longer than `time` ms; it is at its top again then. `settled` gives a promise:
// the page has settled.
//
// It scrolls by screens, and after each waits until the browser has told the page what has come into
// view, and, if the page has grown by that, what is out of view again. As long as the page grows, it
// goes on. Then what scrolls in the page's middle is scrolled: elements, also those of shadow roots and
// behind others, and frames.
async (most, time, settled) => {
    const late = performance.now() + time;
    const isInTime = () => performance.now() < late;
    // Use the prototypes': a form named `scrollingElement` would shadow the document's.
    const { get } = Object.getOwnPropertyDescriptor(Document.prototype, "scrollingElement");
    const { scrollTo: scroll, scrollIntoView: show } = Element.prototype;
    const root = get.call(document);
    if (!root) return;
    const overflows = (element) => element.scrollHeight > element.clientHeight;
    const scrolls = (element) =>
        overflows(element) && /auto|scroll/.test(getComputedStyle(element).overflowY);
    const seen = new Set([root]);
    const inMiddle = function* (scope) {
        const { elementsFromPoint } = (scope === document ? Document : ShadowRoot).prototype;
        for (const element of elementsFromPoint.call(scope, innerWidth / 2, innerHeight / 2)) {
            if (seen.has(element)) continue;
            seen.add(element);
            if (element.shadowRoot instanceof ShadowRoot) yield* inMiddle(element.shadowRoot);
            const isFrame = ["iframe", "frame"].includes(element.localName);
            const inside = isFrame && element.contentDocument && get.call(element.contentDocument);
            if (inside && overflows(inside)) yield [element, inside];
            else if (scrolls(element)) yield [element, element];
        }
    };
    // A page's observers are told at once, and so is this one. On a busy machine that comes frames
    // after it is seen; told of two scrolls together, many pages only look at the first.
    const told = () =>
        new Promise((next) => {
            const observer = new IntersectionObserver(() => next(observer.disconnect()));
            observer.observe(root);
        });
    // A page may also have no frames.
    const twoSeconds = () => new Promise((next) => setTimeout(next, 2000));
    const scrollTo = async (place, top) => {
        scroll.call(place, { top, behavior: "instant" });
        await Promise.race([told().then(told), twoSeconds()]);
    };
    const down = async (place) => {
        const end = () => Math.min(place.scrollHeight, most) - place.clientHeight;
        for (let now = -1; now < place.scrollTop && place.scrollTop < end() && isInTime(); ) {
            now = place.scrollTop;
            await scrollTo(place, Math.min(now + place.clientHeight, end()));
        }
    };
    const scrolled = async (place) => {
        const isLonger = (height) => height < Math.min(place.scrollHeight, most);
        for (let height = place.clientHeight; isLonger(height) && isInTime(); ) {
            height = place.scrollHeight;
            await down(place);
            if (place.scrollTop === 0) return;
            await settled();
            // A browser may keep the end of a page in sight while the page grows; it has to come anew.
            await scrollTo(place, place.scrollTop - place.clientHeight);
        }
        await scrollTo(place, 0);
    };
    await scrolled(root);
    const inner = [...inMiddle(document)];
    for (const [element, place] of inner) {
        if (!isInTime()) break;
        show.call(element, { block: "end", behavior: "instant" });
        await scrolled(place);
    }
    // To show one may have scrolled what is around it.
    for (const [, place] of inner) scroll.call(place, { top: 0, behavior: "instant" });
    if (inner.length > 0) await scrollTo(root, 0);
}
