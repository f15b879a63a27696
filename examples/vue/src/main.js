import { createApp } from 'vue';
import Checkout from './Checkout.vue';
import './checkout.css';

createApp(Checkout).mount(document.body.appendChild(document.createElement('main')));
