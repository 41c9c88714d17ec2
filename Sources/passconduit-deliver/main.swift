import PassDelivery

Delivery.main()
