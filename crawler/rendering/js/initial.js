// Run in the page's own world before its scripts.
{
    const { apply } = Reflect;

    // Nobody was here before: what the tab drew last is no history of this page.
    const never = new Promise(() => {});
    for (const name of ["back", "forward", "go"]) History.prototype[name] = () => {};
    for (const name of ["back", "forward", "traverseTo"])
        Navigation.prototype[name] = () => ({ committed: never, finished: never });

    // While the page changes, or waits for what it asked for, it says so to settled.js, in the window
    // of the tab; so do the frames that are read with it.
    const { dispatchEvent, addEventListener: listen } = EventTarget.prototype;
    const { then } = Promise.prototype;
    const [repeat, stop, Tick] = [setInterval, clearInterval, Event];
    let [asked, beat, place] = [0, 0, performance];
    try {
        place = top.performance;
    } catch {}
    const say = () => apply(dispatchEvent, place, [new Tick("crawler-waits")]);
    const begin = () => {
        if (asked++ === 0) beat = repeat(say, 100);
        let isOver = false;
        return () => {
            if (!isOver && --asked === 0) stop(beat);
            isOver = true;
        };
    };
    const waiting = {
        apply(target, self, values) {
            const answer = apply(target, self, values);
            const end = begin();
            apply(then, answer, [end, end]);
            return answer;
        },
    };
    window.fetch = new Proxy(fetch, waiting);
    // An answer begins with its headers; it is waited for until it is read.
    for (const name of ["arrayBuffer", "blob", "formData", "json", "text"])
        Response.prototype[name] = new Proxy(Response.prototype[name], waiting);
    XMLHttpRequest.prototype.send = new Proxy(XMLHttpRequest.prototype.send, {
        apply(target, self, values) {
            apply(target, self, values);
            if (self.readyState !== XMLHttpRequest.DONE) apply(listen, self, ["loadend", begin()]);
        },
    });

    // Scripts and style sheets that the page has added are waited for, too.
    const isFetched = ({ nodeName, src, type, rel, href }) =>
        nodeName === "SCRIPT"
            ? src && (!type || /^module$|javascript/i.test(type))
            : nodeName === "LINK" && href && /stylesheet|modulepreload/i.test(rel);
    const seen = new WeakSet();
    const note = (node) => {
        if (seen.has(node) || !isFetched(node)) return;
        seen.add(node);
        const end = begin();
        for (const name of ["load", "error"]) apply(listen, node, [name, end]);
    };
    const changes = new MutationObserver((records) => {
        say();
        for (const { addedNodes } of records) addedNodes.forEach(note);
    });
    const watch = (root) =>
        changes.observe(root, { subtree: true, childList: true, characterData: true });
    watch(document);
    Element.prototype.attachShadow = new Proxy(Element.prototype.attachShadow, {
        apply(target, self, values) {
            const root = apply(target, self, values);
            watch(root);
            return root;
        },
    });
}
