// A promise of the end of loading, and of changes after it; times in milliseconds.
//
// A page without scripts is settled when it is loaded. Others are when there is something to read,
// and for `quiet` no resource arrived, and the page neither changed nor waited for something, of
// which initial.js tells; or `most` after loading.
(quiet, most) =>
    new Promise((done) => {
        // Names are looked up on prototypes: a form called `body` would hide `document.body`.
        const of = (name) =>
            Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
        const has = (selector) => Document.prototype.querySelector.call(document, selector) !== null;
        const unread = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"]);
        const hasText = () => {
            const texts = document.createTreeWalker(of("body") ?? document, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                const { data, parentNode } = texts.currentNode;
                if (data.trim() && !unread.has(parentNode.nodeName)) return true;
            }
            return false;
        };
        let [isLoaded, timer] = [false, 0];
        const finish = () => {
            performance.removeEventListener("crawler-waits", wait);
            arrivals.disconnect();
            done(true);
        };
        const wait = () => {
            listen();
            clearTimeout(timer);
            if (isLoaded) timer = setTimeout(() => (hasText() ? finish() : undefined), quiet);
        };
        const begin = () => {
            if (isLoaded) return;
            isLoaded = true;
            if (!has("script, iframe, frame")) return finish();
            arrivals.observe({ entryTypes: ["resource"] });
            setTimeout(finish, most);
            wait();
        };
        // A page that opens its document anew takes the listeners of its window away.
        const listen = () => {
            if (of("readyState") === "complete") begin();
            else window.addEventListener("load", begin);
        };
        const arrivals = new PerformanceObserver(wait);
        performance.addEventListener("crawler-waits", wait);
        listen();
    })
