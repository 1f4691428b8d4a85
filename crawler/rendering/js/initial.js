// Runs in the page's own world, before its scripts.
{
    const { apply } = Reflect;

    // The previous page of the tab must not be reachable as this page's history, nor by its name.
    if (window === top) window.name = "";
    const never = new Promise(() => {});
    for (const name of ["back", "forward", "go"]) History.prototype[name] = () => {};
    for (const name of ["back", "forward", "traverseTo"])
        Navigation.prototype[name] = () => ({ committed: never, finished: never });

    // A page does not hear that it is left: the next one would find what it stored then.
    const silence = (event) => event.stopImmediatePropagation();
    for (const name of ["beforeunload", "pagehide", "pageswap", "unload"])
        addEventListener(name, silence, true);
    addEventListener("visibilitychange", (event) => document.hidden && silence(event), true);

    // While this window changes, or waits for responses, it sends events to settled.js in the top
    // window; so do same-origin frames, whose content is read too.
    const { dispatchEvent, addEventListener: listen } = EventTarget.prototype;
    const { then } = Promise.prototype;
    const [repeat, stop, Tick] = [setInterval, clearInterval, Event];
    let [asked, beat, place] = [0, 0, performance];
    try {
        place = top.performance;
    } catch {}
    const say = () => apply(dispatchEvent, place, [new Tick("crawler-waits")]);
    let isScripted = false;
    performance.addEventListener("crawler-loaded", () => isScripted && say());
    const begin = () => {
        isScripted = true;
        if (asked++ === 0) {
            beat = repeat(say, 100);
            say();
        }
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
    // fetch() resolves when the headers arrive, so also wait until the body is read.
    for (const name of ["arrayBuffer", "blob", "formData", "json", "text"])
        Response.prototype[name] = new Proxy(Response.prototype[name], waiting);
    XMLHttpRequest.prototype.send = new Proxy(XMLHttpRequest.prototype.send, {
        apply(target, self, values) {
            apply(target, self, values);
            if (self.readyState !== XMLHttpRequest.DONE) apply(listen, self, ["loadend", begin()]);
        },
    });

    // Also wait for scripts and style sheets that the page adds.
    const isFetched = ({ nodeName, src, type, rel, href }) =>
        nodeName === "SCRIPT"
            ? src && (!type || /^module$|javascript/i.test(type))
            : nodeName === "LINK" && href && /stylesheet|modulepreload/i.test(rel);
    const seen = new WeakSet();
    const note = (node) => {
        isScripted ||= node.nodeName === "SCRIPT";
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
