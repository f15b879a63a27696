import './web-awesome.ts';
import '@awesome.me/webawesome/dist/components/dropdown/dropdown.js';
import '@awesome.me/webawesome/dist/components/dropdown-item/dropdown-item.js';

/*
 * What the menu of the person is made of, a part of its own: neither the door nor a phone shows one, and it
 * weighs as much as all the rest of the frame.
 */
