import { mount } from 'svelte';
import Checkout from './Checkout.svelte';
import './checkout.css';

mount(Checkout, { target: document.body.appendChild(document.createElement('main')) });
