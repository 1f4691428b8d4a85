// Run in the page's own world before its scripts.
{
    const { apply } = Reflect;

    // Nobody was here before: what the tab drew last is no history of this page.
    const never = new Promise(() => {});
    for (const name of ["back", "forward", "go"]) History.prototype[name] = () => {};
    for (const name of ["back", "forward", "traverseTo"])
        Navigation.prototype[name] = () => ({ committed: never, finished: never });

    // While the page waits for an answer that it asked for, it says so to settled.js.
    const { dispatchEvent, addEventListener: listen } = EventTarget.prototype;
    const { then } = Promise.prototype;
    const [repeat, stop, Tick] = [setInterval, clearInterval, Event];
    let [asked, beat] = [0, 0];
    const say = () => apply(dispatchEvent, document, [new Tick("crawler-waits")]);
    const begin = () => {
        if (asked++ === 0) beat = repeat(say, 100);
        let isOver = false;
        return () => {
            if (!isOver && --asked === 0) stop(beat);
            isOver = true;
        };
    };
    window.fetch = new Proxy(fetch, {
        apply(target, self, values) {
            const answer = apply(target, self, values);
            const end = begin();
            apply(then, answer, [end, end]);
            return answer;
        },
    });
    XMLHttpRequest.prototype.send = new Proxy(XMLHttpRequest.prototype.send, {
        apply(target, self, values) {
            apply(target, self, values);
            if (self.readyState !== XMLHttpRequest.DONE) apply(listen, self, ["loadend", begin()]);
        },
    });
}
