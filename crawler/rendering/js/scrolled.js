// A promise that resolves when all of the page was in view, but what is more than `most` CSS px from
// its top, or would take longer than `time` ms; it is at its top again then. `settled` gives a promise:
// the page has settled.
//
// It scrolls by screens, and after each waits until the browser has told the page what has come into
// view, and, if the page has grown by that, what is out of view again. As long as the page grows, it
// goes on. If the page itself does not scroll, the element in its middle that does is scrolled.
async (most, time, settled) => {
    const late = performance.now() + time;
    const isInTime = () => performance.now() < late;
    // Use the prototypes' getters: a form named `scrollingElement` would shadow the document's.
    const { get } = Object.getOwnPropertyDescriptor(Document.prototype, "scrollingElement");
    const root = get.call(document);
    if (!root) return;
    const overflows = (element) => element.scrollHeight > element.clientHeight;
    const scrolls = (element) =>
        overflows(element) && /auto|scroll/.test(getComputedStyle(element).overflowY);
    const middle = () => {
        const at = [innerWidth / 2, innerHeight / 2];
        let element = Document.prototype.elementFromPoint.call(document, ...at);
        while (element && !scrolls(element)) element = element.parentElement;
        return element;
    };
    const place = overflows(root) ? root : (middle() ?? root);
    // A page's observers are told at once, and so is this one. On a busy machine that comes frames
    // after it is seen; told of two scrolls together, many pages only look at the first.
    const told = () =>
        new Promise((next) => {
            const observer = new IntersectionObserver(() => next(observer.disconnect()));
            observer.observe(root);
        });
    // A page may also have no frames.
    const twoSeconds = () => new Promise((next) => setTimeout(next, 2000));
    const scrollTo = async (top) => {
        place.scrollTo({ top, behavior: "instant" });
        await Promise.race([told().then(told), twoSeconds()]);
    };
    const down = async () => {
        const end = () => Math.min(place.scrollHeight, most) - place.clientHeight;
        for (let now = -1; now < place.scrollTop && place.scrollTop < end() && isInTime(); ) {
            now = place.scrollTop;
            await scrollTo(Math.min(now + place.clientHeight, end()));
        }
    };
    const isLonger = (height) => height < Math.min(place.scrollHeight, most);
    for (let height = place.clientHeight; isLonger(height) && isInTime(); ) {
        height = place.scrollHeight;
        await down();
        await settled();
        // A browser may keep the end of a page in sight while the page grows; it has to come anew.
        await scrollTo(place.scrollTop - place.clientHeight);
    }
    await scrollTo(0);
}
