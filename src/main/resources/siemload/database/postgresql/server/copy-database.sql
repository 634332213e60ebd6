CREATE DATABASE :"database" TEMPLATE :"kept"
