// A promise that resolves when the page has settled; times in milliseconds.
//
// A page that never had a script has settled when it is loaded. Other pages have settled when they
// say enough and, for `quiet` ms, no resource arrived and initial.js reported neither changes nor
// outstanding responses; or `most` ms after loading. What little there is before that may be a frame
// for text that comes by a timer, import() or a worker, of which nothing can be seen.
(quiet, most) =>
    new Promise((done) => {
        // Use the prototypes' getters: a form named `body` would shadow `document.body`.
        const of = (name) =>
            Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
        const has = (selector) => Document.prototype.querySelector.call(document, selector) !== null;
        const enough = 250;
        const unread = new Set(["script", "style", "noscript", "template", "header", "nav", "footer"]);
        const isRead = ({ nodeType, localName }) => {
            if (nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
            return unread.has(localName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
        };
        const saysEnough = () => {
            const shown = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
            const texts = document.createTreeWalker(of("body") ?? document, shown, isRead);
            let missing = enough;
            while (missing > 0 && texts.nextNode()) missing -= texts.currentNode.data.trim().length;
            return missing <= 0;
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
            if (isLoaded) timer = setTimeout(() => (saysEnough() ? finish() : undefined), quiet);
        };
        const begin = () => {
            if (isLoaded) return;
            isLoaded = true;
            // Scripts may have gone from the page; if any did run, initial.js answers that it waits.
            performance.dispatchEvent(new Event("crawler-loaded"));
            if (!timer && !has("script, iframe, frame")) return finish();
            arrivals.observe({ entryTypes: ["resource"] });
            setTimeout(finish, most);
            wait();
        };
        // document.open() removes the window's listeners, so they are added again.
        const listen = () => {
            if (of("readyState") === "complete") begin();
            else window.addEventListener("load", begin);
        };
        const arrivals = new PerformanceObserver(wait);
        performance.addEventListener("crawler-waits", wait);
        listen();
    })
